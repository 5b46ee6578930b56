// SPDX-License-Identifier: Apache-2.0
#include "export/needed.h"

#include <algorithm>

#include "ops/primitives/records.h"

namespace attend {

std::vector<long> uses_of(const Graph& graph, const std::vector<NodeId>& results) {
  std::vector<long> uses(graph.size(), -1);
  for (const NodeId result : results) uses[result] = 0;
  for (NodeId id = static_cast<NodeId>(uses.size()); id-- > 0;) {
    if (uses[id] < 0) continue;
    // What a loop reads stands in front of it: to write it inside would compute it every time.
    const long times = graph[id].primitive == &primitives::scan ? 2 : 1;
    for (const NodeId input : graph[id].inputs) uses[input] = std::max(uses[input], 0L) + times;
  }
  return uses;
}

std::vector<long> uses_of(const Listing& program) {
  std::vector<NodeId> results;
  for (const Listing::Result& result : program.results) results.push_back(result.node);
  return uses_of(program.graph, results);
}

}  // namespace attend
