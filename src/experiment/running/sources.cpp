// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/sources.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace attend {
namespace {

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

bool is_named(const ResultTensor& tensor) {
  return tensor.group() == TensorGroup::outputs || tensor.group() == TensorGroup::inputs ||
         tensor.group() == TensorGroup::parameters;
}

// By node, the first tensor with its numbers. A given tensor comes before one that only shows it.
std::vector<std::size_t> owners(const Graph& graph, const std::vector<const ResultTensor*>& all) {
  std::vector<std::size_t> owner(graph.size(), nobody);
  for (const bool given : {true, false}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool output = all[i]->group() == TensorGroup::outputs;
      if (!is_named(*all[i]) || output == given) continue;
      std::size_t& place = owner[all[i]->record->recorded];
      if (place == nobody) place = i;
    }
  }
  return owner;
}

// Owned nodes in the order of recording. Nodes in a row that come from the same ones share a list.
using Nodes = std::shared_ptr<const std::vector<NodeId>>;

// All nodes of the lists, or the newest `most` of them.
Nodes united(std::vector<Nodes> lists, std::size_t most) {
  lists.erase(std::remove(lists.begin(), lists.end(), nullptr), lists.end());
  std::sort(lists.begin(), lists.end());
  lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
  if (lists.empty()) return nullptr;
  const Nodes& largest =
      *std::max_element(lists.begin(), lists.end(),
                        [](const Nodes& a, const Nodes& b) { return a->size() < b->size(); });
  if (lists.size() == 1) return largest;
  std::vector<NodeId> all;
  for (const Nodes& list : lists) all.insert(all.end(), list->begin(), list->end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() == largest->size()) return largest;
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<long>(most));
  return std::make_shared<const std::vector<NodeId>>(std::move(all));
}

// The last node that reads each node; itself where none does.
std::vector<NodeId> last_readers(const Graph& graph) {
  std::vector<NodeId> last(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    last[id] = id;
    for (const NodeId input : graph[id].inputs) last[input] = id;
  }
  return last;
}

}  // namespace

std::vector<std::vector<std::size_t>> sources_of(const Compiled& compiled,
                                                 const std::vector<const ResultTensor*>& tensors,
                                                 std::size_t most_of_all) {
  const Graph& graph = compiled.graph();
  const std::vector<std::size_t> owner = owners(graph, tensors);
  std::vector<std::vector<std::size_t>> sources(tensors.size());
  std::size_t outputs = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->group() != TensorGroup::outputs) continue;
    ++outputs;
    if (owner[tensors[i]->record->recorded] != i)
      sources[i].push_back(owner[tensors[i]->record->recorded]);
  }
  const std::size_t most = std::max(min_sources, most_of_all / std::max<std::size_t>(outputs, 1));
  const std::vector<NodeId> last = last_readers(graph);
  // What those see who read the node: itself where it is owned, else what it comes from.
  std::vector<Nodes> seen(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    std::vector<Nodes> read;
    for (const NodeId input : graph[id].inputs) read.push_back(seen[input]);
    Nodes from = united(std::move(read), most);
    for (const NodeId input : graph[id].inputs)
      if (last[input] == id) seen[input] = nullptr;
    const std::size_t own = owner[id];
    if (own == nobody) {
      seen[id] = std::move(from);
      continue;
    }
    seen[id] = std::make_shared<const std::vector<NodeId>>(1, id);
    if (from == nullptr || tensors[own]->group() != TensorGroup::outputs) continue;
    for (const NodeId source : *from) sources[own].push_back(owner[source]);
    std::sort(sources[own].begin(), sources[own].end());
  }
  return sources;
}

}  // namespace attend
