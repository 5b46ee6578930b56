// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include "ops/explain.h"
#include "ops/primitives/records.h"

namespace attend {

std::vector<NodeId> explained_from(const Graph& graph, NodeId node) {
  // Looks through every nameless node, and through named ones that may be passed on.
  std::set<NodeId> needed{node};
  std::vector<NodeId> open{node};
  const auto passes_on = [&](NodeId id) {
    static constexpr std::array passing{
        &primitives::reshape, &primitives::broadcast_to, &primitives::permute, &primitives::slice,
        &primitives::concat,  &primitives::where,        &primitives::take,    &primitives::put,
        &primitives::sum,     &primitives::cumsum,       &primitives::scan};
    return std::ranges::find(passing, graph[id].primitive) != passing.end();
  };
  std::set<NodeId> passed{node};  // what `node` may be a copy of
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const bool copy = passed.contains(id) && passes_on(id);
    for (const NodeId input : graph[id].inputs) {
      const bool follow = copy ? passed.insert(input).second : false;
      const bool fresh = needed.insert(input).second;
      if (follow || (fresh && graph[input].name.empty())) open.push_back(input);
    }
  }
  return {needed.begin(), needed.end()};
}

}  // namespace attend
