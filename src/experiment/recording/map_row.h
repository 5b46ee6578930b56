// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "ops/graph.h"

namespace attend {

// Nodes that are one row of another node: of which.
using MadeRows = std::map<NodeId, NodeId>;

// Row `row` of x [.. m n] as a node [.. 1 n] that needs only that row of what x is made of, as far
// back as rows do not mix: one row of a map of weights without the map. Throws Error when x has no
// such row. With `made`, rows of named nodes get those names, and are noted with what they are of.
Var row_of(Var x, std::size_t row, MadeRows* made = nullptr);

}  // namespace attend
