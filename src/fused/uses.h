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

}  // namespace attend::fused
