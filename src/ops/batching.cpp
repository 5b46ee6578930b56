// SPDX-License-Identifier: Apache-2.0
#include "ops/batching.h"

#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/error.h"
#include "ops/intent.h"
#include "ops/module_places.h"
#include "ops/needed.h"
#include "ops/primitive.h"
#include "ops/primitives.h"

namespace attend {
namespace {

Var leaf(Graph& into, const Node& node, std::size_t size, bool led) {
  // What a store holds stays as the store has it, so that products read it in the same way.
  if (!led && node.lies_elsewhere()) return into.adopt(node, {});
  Shape shape = node.shape;
  if (led) shape.insert(shape.begin(), size);
  return node.primitive == nullptr ? into.leaf(std::move(shape), node.name)
                                   : into.number_leaf(std::move(shape), node.attributes.number);
}

Batch operands_of(const Graph& from, const Node& node, std::size_t size, const Batched& so_far) {
  Batch batch{node, {}, {}, {}, size};
  for (const NodeId input : node.inputs) {
    batch.in.push_back(so_far.vars[input]);
    batch.led.push_back(so_far.led[input]);
    batch.one.push_back(&from[input].shape);
  }
  return batch;
}

Var recorded(Graph& into, const Graph& from, const Node& node, std::size_t size,
             const Batched& so_far) {
  const Var result = so_far.led[node.id] ? batched_node(from, node, size, so_far)
                                         : same_node(into, node, so_far.vars);
  return node.name.empty() ? result : let(node.name, result);
}

Var with_intent(const Node& node, Var result, const std::vector<Var>& so_far) {
  carry_intent(node, result, [&](NodeId operand) { return so_far[operand]; });
  return result;
}

// Whether what the intent names beside its formula meets it as it is: what each example has for itself, and what has
// fewer axes than the formula, would be read as that of other heads.
bool keeps_intent(const Graph& from, const Node& node, const Batched& so_far) {
  if (node.intent == nullptr) return true;
  const Intent& intent = *node.intent;
  const bool reads_maps = intent.is_mask() || intent.is_context() || intent.kind == Intent::sink ||
                          intent.kind == Intent::spans || intent.kind == Intent::gaps ||
                          intent.kind == Intent::by_key || intent.kind == Intent::relative ||
                          intent.kind == Intent::relative_values;
  return !reads_maps ||
         std::all_of(intent.operands.begin(), intent.operands.end(), [&](NodeId operand) {
           return !so_far.led[operand] || from[operand].shape.size() >= node.shape.size();
         });
}

// With what intents name beside the formulas, so that a later pass can choose it.
std::vector<bool> needed_with_stated(const Graph& graph, const std::vector<NodeId>& wanted) {
  std::vector<NodeId> all = wanted;
  std::vector<bool> needed;
  for (std::size_t known = 0; known != all.size();) {
    known = all.size();
    needed = needed_for(graph, all);
    all = wanted;
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (!needed[id] || graph[id].intent == nullptr) continue;
      const auto& operands = graph[id].intent->operands;
      all.insert(all.end(), operands.begin(), operands.end());
    }
  }
  return needed;
}

}  // namespace

Var same_node(Graph& into, const Node& node, const std::vector<Var>& so_far) {
  std::vector<Var> in;
  for (const NodeId input : node.inputs) in.push_back(so_far[input]);
  return with_intent(node, into.record(*node.primitive, in, node.attributes), so_far);
}

Var batched_node(const Graph& from, const Node& node, std::size_t size, const Batched& so_far) {
  const Batch batch = operands_of(from, node, size, so_far);
  const auto rule = node.primitive->batch;
  const Var result = rule == nullptr ? batch::by_examples(batch) : rule(batch);
  return keeps_intent(from, node, so_far) ? with_intent(node, result, so_far.vars) : result;
}

Batched batched(Graph& into, const Graph& from, const std::vector<NodeId>& wanted, std::size_t size,
                const std::vector<bool>& examples) {
  if (size == 0) refuse("a batch needs at least one example");
  const std::vector<bool> needed = needed_with_stated(from, wanted);
  Batched result{std::vector<Var>(from.size()), std::vector<bool>(from.size(), false)};
  for (NodeId id = 0; id < from.size(); ++id) {
    const Node& node = from[id];
    const RecordedFor module(into, node.module);
    if (node.leaf) {
      result.led[id] = examples[id];
      result.vars[id] = leaf(into, node, size, examples[id]);
    } else if (needed[id]) {
      result.led[id] = std::any_of(node.inputs.begin(), node.inputs.end(),
                                   [&](NodeId input) { return result.led[input]; });
      result.vars[id] = recorded(into, from, node, size, result);
    }
  }
  return result;
}

}  // namespace attend
