// SPDX-License-Identifier: Apache-2.0
#include "ops/evaluate.h"

#include <algorithm>

#include "ops/primitive.h"
#include "ops/scan.h"

namespace attend {

Plan plan(const Graph& graph, const std::vector<Var>& wanted, const Memo* memo) {
  const std::size_t count = graph.size();
  Plan plan{std::vector<bool>(count, false), std::vector<NodeId>(count, 0),
            std::vector<bool>(count, false), std::vector<Numbers>(count), 0};
  for (const Var& v : wanted) plan.needed[v.id()] = plan.kept[v.id()] = true;
  for (NodeId id = static_cast<NodeId>(count); id-- > 0;) {
    if (!plan.needed[id]) continue;
    plan.last_use[id] = std::max(plan.last_use[id], id);
    if (memo != nullptr) plan.known[id] = memo->find(id);
    if (plan.known[id] != nullptr) continue;
    for (const NodeId input : graph[id].inputs) {
      plan.needed[input] = true;
      plan.last_use[input] = std::max(plan.last_use[input], id);
    }
  }
  std::uint64_t held = 0;
  for (NodeId id = 0; id < count; ++id) {
    if (!plan.needed[id]) continue;
    held += std::uint64_t{element_count(graph[id].shape)} * sizeof(real);
    const auto& body = graph[id].attributes.body;
    const std::uint64_t hidden = body == nullptr ? 0 : body->plan.workspace * sizeof(real);
    plan.peak_bytes = std::max(plan.peak_bytes, held + hidden);
    const auto release = [&](NodeId node) {
      if (plan.last_use[node] == id && !plan.kept[node]) {
        held -= std::uint64_t{element_count(graph[node].shape)} * sizeof(real);
      }
    };
    if (plan.known[id] == nullptr) {
      const auto first = graph[id].inputs.begin();
      for (auto input = first; input != graph[id].inputs.end(); ++input) {
        if (std::find(first, input, *input) == input) release(*input);  // each once
      }
    }
    release(id);
  }
  return plan;
}

namespace {

Numbers computed(const Graph& graph, NodeId id, Values& values, Memo* memo) {
  const Node& node = graph[id];
  const std::size_t size = element_count(node.shape);
  Numbers result = memo == nullptr ? std::make_shared<std::vector<real>>(size) : memo->room(size);
  Forward forward{node, {}, {}, result->data()};
  for (const NodeId input : node.inputs) {
    forward.in.push_back(values[input].data());
    forward.in_shapes.push_back(&graph[input].shape);
  }
  node.primitive->forward(forward);
  return result;
}

}  // namespace

Values evaluate(const Graph& graph, const Plan& plan,
                const std::function<std::vector<real>(NodeId)>& leaf_data, Memo* memo) {
  Values values(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (id >= plan.needed.size() || !plan.needed[id]) continue;
    const Node& node = graph[id];
    if (plan.known[id] != nullptr) {
      values.at(id) = plan.known[id];
      continue;
    }
    if (node.primitive == nullptr) {
      values.at(id) = std::make_shared<std::vector<real>>(leaf_data(id));
    } else {
      values.at(id) = computed(graph, id, values, memo);
    }
    if (memo != nullptr && plan.kept[id]) memo->remember(id, values.at(id));
    for (const NodeId input : node.inputs) {
      if (plan.last_use[input] != id || plan.kept[input]) continue;
      if (memo != nullptr) memo->recycle(std::move(values.at(input)));
      values.at(input).reset();
    }
  }
  return values;
}

}  // namespace attend
