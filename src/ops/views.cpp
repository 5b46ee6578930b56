// SPDX-License-Identifier: Apache-2.0
#include "ops/views.h"

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

// Whether axes in this order leave every number in its place: only axes of extent 1 change theirs.
bool keeps_order(const Shape& from, const Attributes& axes) {
  std::size_t last = 0;
  for (const long axis : axes.integers) {
    const std::size_t at = axis_index(axis, from.size());
    if (from[at] == 1) continue;
    if (at < last) return false;
    last = at;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> view_of(const Graph& graph, NodeId id) {
  namespace p = primitives;
  const Node& node = graph[id];
  if (node.leaf) return std::nullopt;
  if (node.primitive->in_place) return 0;
  if (node.primitive == &p::reshape || node.primitive == &p::detach) return 0;
  if (node.primitive == &p::permute)
    return keeps_order(graph[node.inputs[0]].shape, node.attributes) ? std::optional<std::size_t>(0)
                                                                     : std::nullopt;
  if (node.primitive == &p::broadcast_to && graph[node.inputs[0]].shape == node.shape) return 0;
  if (node.primitive != &p::slice) return std::nullopt;
  const Shape& from = graph[node.inputs[0]].shape;
  const AxisView v = view_axis(from, axis_index(node.attributes[0], from.size()));
  if (v.outer != 1) return std::nullopt;
  return static_cast<std::size_t>(node.attributes[1]) * v.inner;
}

}  // namespace attend
