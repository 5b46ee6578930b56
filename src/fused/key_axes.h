// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ops/graph.h"

namespace attend::fused {

// A node with its axis of rows.
struct Placed {
  NodeId id;
  std::size_t axis;
  bool operator==(const Placed&) const = default;
};
using Places = std::vector<Placed>;  // in the order of the nodes

const Placed* place_of(const Places& places, NodeId id);
std::size_t index_of(const Places& places, const Placed& one);

// Where the axis of the keys is in nodes that are computed row by row, if a row's keys end: what lies behind them
// changes no result, because masks make it a constant that a sum, a softmax or a product leaves out.
struct KeyAxes {
  using Axis = std::optional<std::size_t>;
  std::size_t keys = 0;
  std::ptrdiff_t after = 0;  // row i reads keys up to i + after
  std::vector<Axis> nodes, given, whole;

  // How many keys the rows before this one read.
  [[nodiscard]] std::size_t before_row(std::size_t row) const;
};

// `nodes` read one another, rows of `given` and all of `whole`; `results` are read outside.
std::optional<KeyAxes> key_axes(const Graph& graph, const Places& nodes, const Places& given,
                                const Places& whole, const std::vector<NodeId>& results);

}  // namespace attend::fused
