// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "ops/plan.h"

namespace attend::fused {

// Which nodes are computed for those that are wanted, and how often each is read; a wanted node counts once more.
struct Uses {
  Uses(const Graph& graph, const std::vector<Var>& wanted)
      : needed(plan(graph, wanted).needed), count(graph.size(), 0) {
    for (const Var& var : wanted) ++count[var.id()];
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (!needed[id]) continue;
      for (const NodeId input : graph[id].inputs) ++count[input];
    }
  }

  std::vector<bool> needed;
  std::vector<std::size_t> count;
};

// The nodes between a formula and its operands, in their order; the formula is the last.
using Between = std::vector<NodeId>;

// What does not depend on an operand, such as a number, is left out: others may read it, too, as it costs next to
// nothing.
Between nodes_between(const Graph& graph, NodeId formula, const std::vector<NodeId>& operands);

// How often the nodes read this one.
std::size_t reads_of(const Graph& graph, const Between& nodes, NodeId read);

// Whether anything but these nodes reads one of them before the last. `count` is that of Uses.
bool is_read_elsewhere(const Graph& graph, const Between& nodes,
                       const std::vector<std::size_t>& count);

}  // namespace attend::fused
