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
    // What a loop reads is written before it; inside, it would be computed every time.
    const long times = graph[id].primitive == &primitives::scan ? 2 : 1;
    for (const NodeId input : graph[id].inputs) uses[input] = std::max(uses[input], 0L) + times;
  }
  return uses;
}

// A mean is a sum and its count, which is written as a number.
bool is_mean(const Graph& graph, const Node& node) {
  if (node.primitive != &primitives::divide) return false;
  const Node& total = graph[node.inputs[0]];
  const Node& count = graph[node.inputs[1]];
  if (total.primitive != &primitives::sum || count.primitive != &primitives::fill) return false;
  const std::size_t before = element_count(graph[total.inputs[0]].shape);
  return element_count(total.shape) > 0 &&
         count.attributes.number == static_cast<double>(before / element_count(total.shape));
}

bool holds_sizes(const Graph& graph, const std::vector<long>& uses) {
  namespace p = primitives;
  const auto extents = [](Shape shape) {  // without axes of 1, which are written as None and 0
    std::erase(shape, 1);
    return shape;
  };
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    if (uses[id] < 0 || node.leaf) continue;
    const Primitive* const own = node.primitive;
    if (own == &p::scan || own == &p::slice || own == &p::iota || own == &p::broadcast_to ||
        own == &p::put || own == &p::unfold || own == &p::fold || own == &p::listed_spread)
      return true;
    if (own == &p::fill && element_count(node.shape) > 1) return true;
    if (is_mean(graph, node)) return true;
    if (own == &p::reshape && extents(node.shape) != extents(graph[node.inputs[0]].shape))
      return true;
  }
  return false;
}

std::vector<long> uses_of(const Listing& program) {
  std::vector<NodeId> results;
  for (const Listing::Result& result : program.results) results.push_back(result.node);
  return uses_of(program.graph, results);
}

}  // namespace attend
