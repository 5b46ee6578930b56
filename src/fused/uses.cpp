// SPDX-License-Identifier: Apache-2.0
#include "fused/uses.h"

#include <algorithm>

namespace attend::fused {

Between nodes_between(const Graph& graph, NodeId formula, const std::vector<NodeId>& operands) {
  std::vector<bool> below(formula + 1, false), inner(formula + 1, false),
      depends(formula + 1, false);
  for (const NodeId operand : operands) below[operand] = true;
  for (NodeId id = formula; id-- > 0;) {
    if (!below[id]) continue;
    for (const NodeId input : graph[id].inputs) below[input] = true;
  }
  inner[formula] = true;
  for (NodeId id = formula + 1; id-- > 0;) {
    if (!inner[id]) continue;
    for (const NodeId input : graph[id].inputs) inner[input] = !below[input];
  }
  Between all;
  for (NodeId id = 0; id <= formula; ++id) {
    if (!inner[id]) continue;
    const auto& inputs = graph[id].inputs;
    depends[id] = std::any_of(inputs.begin(), inputs.end(),
                              [&](NodeId input) { return below[input] || depends[input]; });
    if (depends[id]) all.push_back(id);
  }
  return all;
}

std::size_t reads_of(const Graph& graph, const Between& nodes, NodeId read) {
  std::size_t reads = 0;
  for (const NodeId id : nodes) {
    const auto& inputs = graph[id].inputs;
    reads += static_cast<std::size_t>(std::count(inputs.begin(), inputs.end(), read));
  }
  return reads;
}

bool is_read_elsewhere(const Graph& graph, const Between& nodes,
                       const std::vector<std::size_t>& count) {
  std::vector<std::size_t> own(nodes.back() + 1, 0);
  for (const NodeId id : nodes) {
    for (const NodeId input : graph[id].inputs) ++own[input];
  }
  return std::any_of(nodes.begin(), nodes.end() - 1,
                     [&](NodeId id) { return count[id] != own[id]; });
}

}  // namespace attend::fused
