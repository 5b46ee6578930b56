// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// Row `row` of x [.. m n] as a node [.. 1 n] that needs only that row of what x is made of, as far
// back as rows do not mix: one row of a map of weights without the map. Throws Error when x has no
// such row.
Var row_of(Var x, std::size_t row);

}  // namespace attend
