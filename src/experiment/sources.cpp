// SPDX-License-Identifier: Apache-2.0
#include "experiment/sources.h"

#include <algorithm>
#include <limits>

namespace attend {
namespace {

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

bool is_named(const ResultTensor& tensor) {
  return tensor.group == ResultGroup::outputs || tensor.group == ResultGroup::inputs ||
         tensor.group == ResultGroup::parameters;
}

// By node, the first tensor that stands for it. What was given comes before what shows it.
std::vector<std::size_t> owners(const Graph& graph, const std::vector<const ResultTensor*>& all) {
  std::vector<std::size_t> owner(graph.size(), nobody);
  for (const bool given : {true, false}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool output = all[i]->group == ResultGroup::outputs;
      if (!is_named(*all[i]) || output == given) continue;
      std::size_t& place = owner[all[i]->recorded];
      if (place == nobody) place = i;
    }
  }
  return owner;
}

}  // namespace

std::vector<std::vector<std::size_t>> sources_of(const Compiled& compiled,
                                                 const std::vector<const ResultTensor*>& tensors) {
  const Graph& graph = compiled.graph();
  const std::vector<std::size_t> owner = owners(graph, tensors);
  std::vector<std::size_t> seen(graph.size(), nobody);
  std::vector<std::vector<std::size_t>> sources(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->group != ResultGroup::outputs) continue;
    const NodeId own = tensors[i]->recorded;
    if (owner[own] != i) {
      sources[i].push_back(owner[own]);
      continue;
    }
    std::vector<NodeId> open = graph[own].inputs;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (seen[id] == i) continue;
      seen[id] = i;
      if (owner[id] != nobody)
        sources[i].push_back(owner[id]);
      else
        open.insert(open.end(), graph[id].inputs.begin(), graph[id].inputs.end());
    }
    std::sort(sources[i].begin(), sources[i].end());
  }
  return sources;
}

}  // namespace attend
