// SPDX-License-Identifier: Apache-2.0
#include "ops/shift.h"

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

bool is_one_a_row(const Shape& shape) { return shape.empty() || shape.back() == 1; }

// A nameless node of this primitive whose first operand has its shape, the second one number a row.
bool fits(const Graph& graph, NodeId id, const Primitive& primitive) {
  const Node& node = graph[id];
  return node.name.empty() && node.primitive == &primitive &&
         graph[node.inputs[0]].shape == node.shape && is_one_a_row(graph[node.inputs[1]].shape);
}

}  // namespace

std::optional<NodeId> before_shift(const Graph& graph, NodeId id) {
  if (!fits(graph, id, primitives::subtract)) return {};
  const Node& by = graph[graph[id].inputs[1]];
  if (!by.name.empty() || by.primitive != &primitives::detach) return {};
  return graph[id].inputs[0];
}

bool scales_row(const Graph& graph, NodeId id) { return fits(graph, id, primitives::divide); }

}  // namespace attend
