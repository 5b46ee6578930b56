// SPDX-License-Identifier: Apache-2.0
#include "fused/shorter.h"

#include <algorithm>

#include "fused/uses.h"
#include "ops/intent.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"

namespace attend::fused {
namespace {

// The size of the node's tensor; of a scan, of the largest tensor that its steps compute, all steps together.
std::size_t size_of(const Node& node) {
  std::size_t largest = element_count(node.shape);
  if (node.attributes.body == nullptr) return largest;
  const ScanBody& body = *node.attributes.body;
  for (NodeId id = 0; id < body.graph->size(); ++id)
    largest = std::max(largest, body.count * element_count((*body.graph)[id].shape));
  return largest;
}

// The size of the largest tensor of the formula, which is computed from these operands.
std::size_t largest_in(const Graph& graph, NodeId formula, const std::vector<NodeId>& operands) {
  std::vector<bool> inner(formula + 1, false);
  inner[formula] = true;
  std::size_t largest = 0;
  for (NodeId id = formula + 1; id-- > 0;) {
    if (!inner[id] || std::find(operands.begin(), operands.end(), id) != operands.end()) continue;
    largest = std::max(largest, size_of(graph[id]));
    for (const NodeId input : graph[id].inputs) inner[input] = true;
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
    graph.replace(id, primitives::reshape, {form}, {{node.shape.begin(), node.shape.end()}});
  }
}

}  // namespace attend::fused
