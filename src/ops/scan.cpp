// SPDX-License-Identifier: Apache-2.0
#include "ops/scan.h"

#include <algorithm>
#include <utility>

#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/recording.h"

namespace attend {
namespace {

Shape without_time(const Shape& shape) { return {shape.begin() + 1, shape.end()}; }

void check_rows(const ScanOperand& rows, std::size_t count) {
  const Shape& shape = rows.value.shape();
  if (!shape.empty() && shape[0] == count) return;
  refuse("a scan of " + std::to_string(count) + " steps cannot run over rows of shape " +
         to_text(shape));
}

// The body's nodes that have names: what a reader sees of a step. Those that are results of the
// body already are no steps of their own.
std::vector<NodeId> named_steps(const ScanBody& body) {
  std::vector<NodeId> list;
  for (NodeId id = 0; id < body.graph->size(); ++id) {
    const Node& node = (*body.graph)[id];
    if (node.primitive != nullptr && !node.name.empty()) list.push_back(id);
  }
  return list;
}

// The states before each step [T ..], out of those kept [T+1 ..].
Var states_before(Var kept, const ScanBody& body) {
  return slice(kept, 0, body.before(0), body.before(0) + body.count);
}
Var states_after(Var kept, const ScanBody& body) {
  return slice(kept, 0, body.after(0), body.after(0) + body.count);
}

std::size_t place_in(const std::vector<NodeId>& list, NodeId id) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), id) - list.begin());
}

// Gives the named steps their tensors [T ..]. What is no result of the scan comes from a second
// one without a state: the states before each step are its rows. It is only computed where somebody
// asks for a step.
void name_steps(Graph& around, const ScanBody& body, const std::vector<Var>& operands,
                const Scanned& results, const std::vector<Var>& kept) {
  const auto name_of = [&](NodeId id) { return (*body.graph)[id].name; };
  ScanBody steps = body;
  steps.states.clear();
  steps.next.clear();
  steps.outputs.clear();
  std::vector<std::pair<NodeId, Var>> found;
  for (const NodeId id : named_steps(body)) {
    const std::size_t output = place_in(body.outputs, id), state = place_in(body.next, id);
    if (output < body.outputs.size()) {
      found.emplace_back(id, results.outputs[output]);
    } else if (state < body.next.size()) {
      found.emplace_back(id, results.states[state]);
    } else {
      steps.outputs.push_back(id);
      found.emplace_back(id, Var{});
    }
  }
  Var second;
  if (!steps.outputs.empty()) {
    steps.rows.insert(steps.rows.begin(), body.states.begin(), body.states.end());
    std::vector<Var> in = operands;
    for (std::size_t k = 0; k < kept.size(); ++k) in[k] = states_before(kept[k], body);
    const auto made = finished(std::move(steps));
    second = around.record(primitives::scan, in, {{}, 0, made});
  }
  std::size_t next = 0;
  for (auto& [id, var] : found) {
    if (!var) var = part_of(second, next++);
    if (!var.node().name.empty()) var = reshape(var, var.shape());
    var.graph().rename(var, name_of(id));
  }
}

}  // namespace

Var part_of(Var scanned, std::size_t k) {
  const ScanBody::Part& part = scanned.node().attributes.body->parts[k];
  return reshape(slice(scanned, 0, part.offset, part.offset + element_count(part.shape)),
                 part.shape);
}

ScanRecorder::ScanRecorder(Graph& graph, std::size_t count, bool backwards)
    : around_(graph.innermost()),
      inner_(std::make_shared<Graph>(around_)),
      count_(count),
      backwards_(backwards) {
  set_recorder(*inner_, this);
  around_.begin(*inner_);
}

ScanRecorder::~ScanRecorder() { close(); }

void ScanRecorder::close() {
  if (open_) {
    around_.end();
    set_recorder(*inner_, nullptr);
  }
  open_ = false;
}

// An operand comes from outside of the step.
Var ScanRecorder::outside(const ScanOperand& operand) {
  if (&operand.value.graph() == inner_.get())
    refuse("\"" + operand.name + "\" depends on the step that should read it");
  return around_.here(operand.value);
}

Var ScanRecorder::state(const ScanOperand& initial) {
  initial_.push_back(outside(initial));
  states_.push_back(inner_->leaf(initial.value.shape(), initial.name));
  next_.push_back(states_.back());
  return states_.back();
}

Var ScanRecorder::row(const ScanOperand& rows) {
  check_rows(rows, count_);
  const Var value = outside(rows);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (rows_[k].id() == value.id()) return row_[k];
  }
  rows_.push_back(value);
  row_.push_back(inner_->leaf(without_time(value.shape()), rows.name));
  return row_.back();
}

void ScanRecorder::next(Var state, Var value) {
  if (value.shape() != state.shape()) {
    refuse("a state of shape " + to_text(state.shape()) + " has the shape " +
           to_text(value.shape()) + " after a step");
  }
  for (std::size_t k = 0; k < states_.size(); ++k) {
    if (states_[k].id() == state.id()) next_[k] = value;
  }
}

void ScanRecorder::output(Var value) { outputs_.push_back(value); }

Var ScanRecorder::record(bool keeps) {
  ScanBody body;
  body.count = count_;
  body.backwards = backwards_;
  body.keeps = keeps;
  for (const Var& state : states_) body.states.push_back(state.id());
  for (const Var& row : row_) body.rows.push_back(row.id());
  for (const Var& value : next_) body.next.push_back(inner_->here(value).id());
  for (const Var& value : outputs_) body.outputs.push_back(inner_->here(value).id());
  operands_ = initial_;
  operands_.insert(operands_.end(), rows_.begin(), rows_.end());
  for (const Graph::Captured& one : inner_->captured()) {
    operands_.push_back(around_.var(one.outer));
    body.captured.push_back(one.leaf);
  }
  body.graph = inner_;
  close();
  return around_.record(primitives::scan, operands_, {{}, 0, finished(std::move(body))});
}

Scanned ScanRecorder::finish() {
  Scanned results;
  results.whole = record(true);
  const ScanBody& body = *results.whole.node().attributes.body;
  std::vector<Var> kept;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    kept.push_back(part_of(results.whole, k));
    results.states.push_back(states_after(kept[k], body));
    const std::size_t last = backwards_ ? 0 : count_;
    results.last.push_back(reshape(slice(kept[k], 0, last, last + 1), states_[k].shape()));
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    results.outputs.push_back(part_of(results.whole, states_.size() + k));
  name_steps(around_, body, operands_, results, kept);
  return results;
}

Scanned ScanRecorder::finish_quietly() {
  Scanned results;
  results.whole = record(false);
  for (std::size_t k = 0; k < states_.size(); ++k)
    results.last.push_back(part_of(results.whole, k));
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    results.outputs.push_back(part_of(results.whole, states_.size() + k));
  return results;
}

Scanned scan(Graph& graph, std::size_t count, const std::vector<ScanOperand>& initial,
             const std::vector<ScanOperand>& rows, const StepFunction& step, bool backwards) {
  ScanRecorder recorder(graph, count, backwards);
  std::vector<Var> states, row;
  for (const ScanOperand& one : initial) states.push_back(recorder.state(one));
  for (const ScanOperand& one : rows) row.push_back(recorder.row(one));
  const ScanStep made = step(states, row);
  if (made.states.size() != states.size()) {
    refuse("a step returns " + std::to_string(made.states.size()) + " states, but it reads " +
           std::to_string(states.size()));
  }
  for (std::size_t k = 0; k < states.size(); ++k) recorder.next(states[k], made.states[k]);
  for (const Var& output : made.outputs) recorder.output(output);
  return recorder.finish();
}

std::optional<StepNode> step_behind(const Graph& graph, NodeId id) {
  namespace p = primitives;
  const std::size_t numbers = element_count(graph[id].shape);
  for (;;) {
    const Node& node = graph[id];
    const bool sliced = node.primitive == &p::slice;
    if (!sliced && node.primitive != &p::reshape && node.primitive != &p::permute)
      return std::nullopt;
    const Node& input = graph[node.inputs[0]];
    if (sliced && input.primitive == &p::scan) {
      const ScanBody& body = *input.attributes.body;
      const std::size_t part = cell_of(body, static_cast<std::size_t>(node.attributes[1])).part;
      const std::size_t states = body.states.size();
      const NodeId inner = part < states ? body.next[part] : body.outputs[part - states];
      // The result of a scan has a state several times if it is kept at every step.
      const bool last = part < states && numbers <= element_count((*body.graph)[inner].shape);
      return StepNode{input.id, &body, inner, last};
    }
    id = input.id;
  }
}

std::optional<NodeId> captured_by(const Node& scan, NodeId leaf) {
  const ScanBody& body = *scan.attributes.body;
  const std::size_t k = place_in(body.captured, leaf);
  if (k == body.captured.size()) return std::nullopt;
  return scan.inputs[body.states.size() + body.rows.size() + k];
}

ScanCell cell_of(const ScanBody& body, std::size_t flat) {
  std::size_t part = 0;
  while (part + 1 < body.parts.size() && body.parts[part + 1].offset <= flat) ++part;
  const std::size_t within = flat - body.parts[part].offset;
  const std::size_t states = body.states.size();
  const NodeId id = part < states ? body.states[part] : body.outputs[part - states];
  const std::size_t size = std::max<std::size_t>(element_count((*body.graph)[id].shape), 1);
  return {part, within / size, within % size};
}

AllSteps with_all_states(const Node& scan, const std::vector<const real*>& in) {
  ScanBody body = *scan.attributes.body;
  body.keeps = true;
  AllSteps all{finished(std::move(body)), {}};
  all.numbers.resize(all.body->size);
  Node node = scan;
  node.attributes.body = all.body;
  node.shape = {all.body->size};
  Forward forward{node, in, {}, all.numbers.data()};
  compute_whole(forward, parts_of(forward));
  return all;
}

std::size_t among_all_states(const ScanBody& own, const ScanBody& all, std::size_t flat) {
  if (own.keeps) return flat;
  const auto [part, place, within] = cell_of(own, flat);
  const bool state = part < own.states.size();
  const NodeId id = state ? own.states[part] : own.outputs[part - own.states.size()];
  const std::size_t last = own.backwards || own.count == 0 ? 0 : own.count;
  return all.parts[part].offset + (state ? last : place) * element_count((*own.graph)[id].shape) +
         within;
}

}  // namespace attend
