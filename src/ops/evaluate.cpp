// SPDX-License-Identifier: Apache-2.0
#include "ops/evaluate.h"

#include <algorithm>

#include "ops/primitive.h"

namespace attend {

Plan plan(const Graph& graph, const std::vector<Var>& wanted) {
  const std::size_t count = graph.size();
  Plan plan{std::vector<bool>(count, false), std::vector<NodeId>(count, 0),
            std::vector<bool>(count, false), 0};
  for (const Var& v : wanted) plan.needed[v.id()] = plan.kept[v.id()] = true;
  for (NodeId id = static_cast<NodeId>(count); id-- > 0;) {
    if (!plan.needed[id]) continue;
    plan.last_use[id] = std::max(plan.last_use[id], id);
    for (const NodeId input : graph[id].inputs) {
      plan.needed[input] = true;
      plan.last_use[input] = std::max(plan.last_use[input], id);
    }
  }
  std::uint64_t held = 0;
  for (NodeId id = 0; id < count; ++id) {
    if (!plan.needed[id]) continue;
    held += std::uint64_t{element_count(graph[id].shape)} * sizeof(real);
    plan.peak_bytes = std::max(plan.peak_bytes, held);
    const auto release = [&](NodeId node) {
      if (plan.last_use[node] == id && !plan.kept[node]) {
        held -= std::uint64_t{element_count(graph[node].shape)} * sizeof(real);
      }
    };
    std::vector<NodeId> inputs = graph[id].inputs;
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    for (const NodeId input : inputs) release(input);
    release(id);
  }
  return plan;
}

Values evaluate(const Graph& graph, const Plan& plan,
                const std::function<std::vector<real>(NodeId)>& leaf_data) {
  Values values(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (id >= plan.needed.size() || !plan.needed[id]) continue;
    const Node& node = graph[id];
    if (node.primitive == nullptr) {
      values[id] = leaf_data(id);
    } else {
      values[id].resize(element_count(node.shape));
      Forward forward{node, {}, {}, values[id].data()};
      for (const NodeId input : node.inputs) {
        forward.in.push_back(values[input].data());
        forward.in_shapes.push_back(&graph[input].shape);
      }
      node.primitive->forward(forward);
    }
    for (const NodeId input : node.inputs) {
      if (plan.last_use[input] == id && !plan.kept[input]) std::vector<real>().swap(values[input]);
    }
  }
  return values;
}

}  // namespace attend
