// SPDX-License-Identifier: Apache-2.0
#include "export/needed.h"

namespace attend {

std::vector<long> uses_of(const Listing& program) {
  std::vector<long> uses(program.graph.size(), -1);
  for (const Listing::Result& result : program.results) uses[result.node] = 0;
  for (NodeId id = static_cast<NodeId>(uses.size()); id-- > 0;) {
    if (uses[id] < 0) continue;
    for (const NodeId input : program.graph[id].inputs)
      uses[input] = uses[input] < 0 ? 1 : uses[input] + 1;
  }
  return uses;
}

}  // namespace attend
