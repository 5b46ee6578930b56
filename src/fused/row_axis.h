// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ops/graph.h"

namespace attend::fused {

// How an operand of a node goes with one axis of the node, the axis of rows.
struct RowAxis {
  enum class Kind {
    rows,   // row i of the node reads row i of the operand's axis
    fixed,  // every row reads all of it
    mixed   // none of both, or nobody knows
  };
  Kind kind = Kind::mixed;
  std::size_t axis = 0;  // of rows, from the front
};

RowAxis row_axis(const Graph& graph, const Node& node, std::size_t axis, std::size_t operand);

// Changes a node's attributes to those of another extent of that axis.
void resize(Attributes& own, const Node& node, std::size_t axis, std::size_t extent);

}  // namespace attend::fused
