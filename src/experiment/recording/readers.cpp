// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/readers.h"

#include <algorithm>

#include "ops/needed.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

bool holds(const std::vector<NodeId>& list, NodeId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

bool moves_cells_of(const Node& node) {
  namespace p = primitives;
  return node.primitive == &p::reshape || node.primitive == &p::permute ||
         node.primitive == &p::slice || node.primitive == &p::concat;
}

// `needed` is empty where all nodes are.
bool is_read_in(const Graph& graph, NodeId node, const std::vector<bool>& needed) {
  for (NodeId id = node + 1; id < graph.size(); ++id) {
    if ((!needed.empty() && !needed[id]) || !holds(graph[id].inputs, node)) continue;
    if (!moves_cells_of(graph[id]) || is_read_in(graph, id, needed)) return true;
  }
  return false;
}

}  // namespace

bool is_read(const Compiled& compiled, const CellOrigin& origin) {
  const Graph& graph = compiled.graph();
  std::vector<NodeId> outputs;
  for (const KnownTensor& output : compiled.outputs()) outputs.push_back(output.node);
  const std::vector<bool> needed = needed_for(graph, outputs);
  if (origin.body == nullptr) return is_read_in(graph, origin.node, needed);
  // A state is read by the next step.
  if (holds(origin.body->next, origin.node) || is_read_in(*origin.graph, origin.node, {}))
    return true;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!needed[id] || graph[id].primitive != &primitives::slice) continue;
    const auto step = step_behind(graph, id);
    if (step && step->body->graph.get() == origin.graph && step->inner == origin.node &&
        is_read_in(graph, id, needed))
      return true;
  }
  return false;
}

}  // namespace attend
