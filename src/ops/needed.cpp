// SPDX-License-Identifier: Apache-2.0
#include "ops/needed.h"

namespace attend {

std::vector<bool> needed_for(const Graph& graph, const std::vector<NodeId>& wanted) {
  std::vector<bool> needed(graph.size(), false);
  for (const NodeId id : wanted) needed[id] = true;
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    if (!needed[id]) continue;
    for (const NodeId input : graph[id].inputs) needed[input] = true;
  }
  return needed;
}

}  // namespace attend
