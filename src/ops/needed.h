// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"

namespace attend {

// By id: whether a node, or a leaf, is on the way to one of those that are wanted.
std::vector<bool> needed_for(const Graph& graph, const std::vector<NodeId>& wanted);

}  // namespace attend
