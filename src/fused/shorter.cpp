// SPDX-License-Identifier: Apache-2.0
#include "fused/shorter.h"

#include <algorithm>
#include <set>

#include "fused/uses.h"
#include "ops/intent.h"
#include "ops/primitives/records.h"

namespace attend::fused {
namespace {

// The size of the largest tensor of the formula that is not computed from its operands' formulas.
std::size_t largest_in(const Graph& graph, NodeId formula, const std::vector<NodeId>& operands) {
  std::set<NodeId> seen(operands.begin(), operands.end());
  std::vector<NodeId> open{formula};
  std::size_t largest = 0;
  while (!open.empty()) {
    const Node& node = graph[open.back()];
    open.pop_back();
    largest = std::max(largest, element_count(node.shape));
    for (const NodeId input : node.inputs) {
      if (seen.insert(input).second) open.push_back(input);
    }
  }
  return largest;
}

}  // namespace

void shorten(Graph& graph, const std::vector<Var>& wanted, std::size_t from_numbers) {
  const Uses uses(graph, wanted);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    if (!uses.needed[id] || node.intent == nullptr || node.intent->kind != Intent::shorter ||
        node.shape.empty() || intent_of(graph, id) == nullptr)
      continue;
    const std::vector<NodeId>& operands = node.intent->operands;
    const NodeId form = operands.front();
    if (form > id || graph[form].shape != node.shape ||
        largest_in(graph, id, operands) < from_numbers)
      continue;
    graph.replace(id, primitives::slice, {form}, {{-1, 0, static_cast<long>(node.shape.back())}});
  }
}

}  // namespace attend::fused
