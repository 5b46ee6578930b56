// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "ops/scan.h"

namespace attend {

// Where cells of a tensor are computed: behind nodes that only put cells in another place (a reshape, a permutation, a
// slice, a concatenation, a part of a scan's result).
struct CellOrigin {
  const Graph* graph;  // the graph around, or that of a scan's step
  NodeId node;
  const ScanBody* body = nullptr;  // of a step: its scan
  Shape shape;                     // of the node; of a step's node with the axis of time in front
  // A cell of the tensor, and where it is in `shape`.
  std::vector<std::pair<std::size_t, std::size_t>> cells;
};

// All origins of a node, in the order in which they are recorded. A leaf is no origin unless it is the node itself:
// others read it, too, so the last node before it is taken.
std::vector<CellOrigin> origins_of(const Graph& graph, NodeId node);

}  // namespace attend
