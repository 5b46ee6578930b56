// SPDX-License-Identifier: Apache-2.0
// A scan over many examples: its step is recorded again for all of them, by the rules of the
// primitives in it.
#include <algorithm>
#include <numeric>

#include "ops/batching.h"
#include "ops/compose.h"
#include "ops/module_places.h"
#include "ops/primitive.h"
#include "ops/scan.h"

namespace attend {
namespace {

// Which nodes of the step differ from example to example. A state does as soon as what it becomes
// does.
std::vector<bool> led_nodes(const ScanBody& body, const std::vector<bool>& operands) {
  const Graph& graph = *body.graph;
  std::vector<bool> led(graph.size(), false);
  std::size_t operand = 0;
  for (const auto* leaves : {&body.states, &body.rows, &body.captured}) {
    for (const NodeId id : *leaves) led[id] = operands[operand++];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId id = 0; id < graph.size(); ++id) {
      const std::vector<NodeId>& inputs = graph[id].inputs;
      if (std::any_of(inputs.begin(), inputs.end(), [&](NodeId input) { return led[input]; }))
        led[id] = true;
    }
    for (std::size_t k = 0; k < body.states.size(); ++k) {
      if (!led[body.next[k]] || led[body.states[k]]) continue;
      led[body.states[k]] = changed = true;
    }
  }
  return led;
}

// The first two axes exchanged: time and examples.
Var exchanged(Var x) {
  std::vector<long> axes(x.rank());
  std::iota(axes.begin(), axes.end(), 0L);
  std::swap(axes[0], axes[1]);
  return permute(x, axes);
}

class Step {
 public:
  explicit Step(const Batch& b)
      : b_(b),
        body_(*b.node.attributes.body),
        made_{std::vector<Var>(body_.graph->size()), led_nodes(body_, b.led)},
        recorder_(b.in.front().graph(), body_.count, body_.backwards) {}

  Var recorded() {
    for (std::size_t k = 0; k < body_.states.size(); ++k) begin_state(k);
    const std::size_t rows = body_.states.size(), captured = rows + body_.rows.size();
    for (std::size_t k = 0; k < body_.rows.size(); ++k) {
      const NodeId id = body_.rows[k];
      const Var given = b_.in[rows + k];
      made_.vars[id] = recorder_.row({name_of(id), made_.led[id] ? exchanged(given) : given});
    }
    for (std::size_t k = 0; k < body_.captured.size(); ++k)
      made_.vars[body_.captured[k]] = b_.in[captured + k];
    for (const NodeId id : body_.plan.once) record(id);
    for (const NodeId id : body_.plan.each) record(id);
    for (std::size_t k = 0; k < body_.states.size(); ++k)
      recorder_.next(made_.vars[body_.states[k]], as_state(body_.next[k], body_.states[k]));
    for (const NodeId id : body_.outputs) recorder_.output(made_.vars[id]);
    return by_example(recorder_.finish_flat(body_.keeps));
  }

 private:
  [[nodiscard]] const std::string& name_of(NodeId id) const { return (*body_.graph)[id].name; }

  [[nodiscard]] Shape led_shape(NodeId id) const {
    Shape shape = (*body_.graph)[id].shape;
    shape.insert(shape.begin(), b_.size);
    return shape;
  }

  void begin_state(std::size_t k) {
    const NodeId id = body_.states[k];
    const bool spread = made_.led[id] && !b_.led[k];
    const Var initial = spread ? broadcast_to(b_.in[k], led_shape(id)) : b_.in[k];
    made_.vars[id] = recorder_.state({name_of(id), initial});
  }

  void record(NodeId id) {
    const Node& node = (*body_.graph)[id];
    const RecordedFor module(b_.in.front().graph(), node.module);
    if (made_.led[id]) {
      made_.vars[id] = batched_node(*body_.graph, node, b_.size, made_);
    } else {
      std::vector<Var> in;
      for (const NodeId input : node.inputs) in.push_back(made_.vars[input]);
      Graph& graph = b_.in.front().graph().innermost();
      made_.vars[id] = graph.record(*node.primitive, in, node.attributes);
    }
  }

  // What a state becomes; of one that leads with the examples, that of each.
  [[nodiscard]] Var as_state(NodeId next, NodeId state) const {
    const Var value = made_.vars[next];
    return made_.led[state] && !made_.led[next] ? broadcast_to(value, led_shape(state)) : value;
  }

  // The parts of the flat result as each example has them: [examples, size].
  [[nodiscard]] Var by_example(Var flat) const {
    std::vector<Var> parts;
    for (std::size_t k = 0; k < body_.parts.size(); ++k) {
      const bool state = k < body_.states.size();
      const NodeId id = state ? body_.states[k] : body_.outputs[k - body_.states.size()];
      const Shape shape{b_.size, element_count(body_.parts[k].shape)};
      const Var part = part_of(flat, k);
      const bool timed = !state || body_.keeps;
      if (!made_.led[id])
        parts.push_back(broadcast_to(reshape(part, {1, shape[1]}), shape));
      else
        parts.push_back(reshape(timed ? exchanged(part) : part, shape));
    }
    return concat(parts, -1);
  }

  const Batch& b_;
  const ScanBody& body_;
  Batched made_;
  ScanRecorder recorder_;
};

}  // namespace

Var batched_scan(const Batch& batch) { return Step(batch).recorded(); }

}  // namespace attend
