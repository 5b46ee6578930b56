// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// slice(x, axis, start, stop); where x was joined along that axis from parts, of the part alone.
Var slice_of_parts(Var x, long axis, std::size_t start, std::size_t stop);

}  // namespace attend
