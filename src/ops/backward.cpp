// SPDX-License-Identifier: Apache-2.0
#include "ops/backward.h"

#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitive.h"

namespace attend {

std::vector<Var> gradients(Var of, Var cotangent, const std::vector<Var>& wrt) {
  Graph& graph = *of.graph;
  if (cotangent.shape() != of.shape()) {
    throw Error("a cotangent of shape " + to_text(of.shape()) + " was expected, found " +
                to_text(cotangent.shape()));
  }
  // Only nodes on a path from `wrt` to `of` take part.
  std::vector<bool> wanted(of.id + 1, false);
  for (const Var& v : wrt) {
    if (v.id <= of.id) wanted[v.id] = true;
  }
  for (NodeId id = 0; id <= of.id; ++id) {
    for (const NodeId input : graph[id].inputs) {
      if (wanted[input]) wanted[id] = true;
    }
  }
  std::vector<Var> gradient(of.id + 1);
  if (wanted[of.id]) gradient[of.id] = cotangent;
  for (NodeId id = of.id + 1; id-- > 0;) {
    const Node& node = graph[id];
    if (!gradient[id] || node.primitive == nullptr || node.primitive->vjp == nullptr) continue;
    Backward backward{{}, {&graph, id}, gradient[id], node.attributes};
    for (const NodeId input : node.inputs) backward.in.push_back({&graph, input});
    const std::vector<Var> parts = node.primitive->vjp(backward);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const NodeId input = node.inputs[k];
      if (!parts[k] || !wanted[input]) continue;
      gradient[input] = gradient[input] ? gradient[input] + parts[k] : parts[k];
    }
  }
  std::vector<Var> result;
  for (const Var& v : wrt) {
    const bool found = v.id <= of.id && gradient[v.id];
    result.push_back(found ? gradient[v.id] : zeros(graph, v.shape()));
  }
  return result;
}

}  // namespace attend
