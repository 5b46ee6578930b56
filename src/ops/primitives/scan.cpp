// SPDX-License-Identifier: Apache-2.0
// The scan of ops/scan.h: runs the recorded step over all rows; its gradient is a scan back.
#include "ops/scan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ops/backward.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/module_places.h"
#include "ops/parts.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::scan_primitive {
namespace {

// The steps of a scan: everything is allocated before the first, and serves later evaluations too.
class Run {
 public:
  Run(const ScanBody& body, kernels::Terms terms)
      : body_(body),
        terms_(terms),
        work_(std::make_unique_for_overwrite<real[]>(body.plan.workspace)),
        at_(body.graph->size()) {
    sizes_.reserve(body.graph->size());
    for (NodeId id = 0; id < body.graph->size(); ++id)
      sizes_.push_back(element_count((*body.graph)[id].shape));
    // A list that grew would move the nodes of scans inside.
    once_.reserve(body.plan.once.size());
    each_.reserve(body.plan.each.size());
    for (const NodeId id : body.plan.once) add(once_, id);
    for (const NodeId id : body.plan.each) add(each_, id);
    if (!body.keeps) {
      for (const NodeId id : body.states) {
        for (auto& half : passed_) half.emplace_back(size_of(id));
      }
    }
  }

  // Those before the first have been computed.
  void steps(const Forward& f, std::size_t first, std::size_t last) {
    in_ = f.in;
    out_ = f.out;
    const std::size_t captured = body_.states.size() + body_.rows.size();
    for (std::size_t k = 0; k < body_.captured.size(); ++k)
      at_[body_.captured[k]] = in_[captured + k];
    for (std::size_t k = 0; k < body_.states.size(); ++k) {
      if (first == 0)
        begin_state(k);
      else if (!body_.keeps)
        std::copy_n(out_ + body_.parts[k].offset, passed_[0][k].size(), passed_[0][k].begin());
    }
    for (Step& one : once_) compute(one);
    for (std::size_t s = first; s < last; ++s) {
      step(body_.backwards ? body_.count - 1 - s : s);
      if (f.progress != nullptr) f.progress->part(f.node.id, s + 1, body_.count);
    }
    if (body_.keeps) return;
    for (std::size_t k = 0; k < body_.states.size(); ++k)
      std::copy(passed_[0][k].begin(), passed_[0][k].end(), out_ + body_.parts[k].offset);
  }

 private:
  [[nodiscard]] std::size_t size_of(NodeId id) const { return sizes_[id]; }

  struct Step {
    Forward forward;
    std::size_t parts = 1;
    std::shared_ptr<void> kept = nullptr;
  };

  void add(std::vector<Step>& list, NodeId id) {
    const Node& node = (*body_.graph)[id];
    Forward forward{node, std::vector<const real*>(node.inputs.size()), {}, nullptr};
    forward.terms = terms_;
    for (const NodeId input : node.inputs)
      forward.in_shapes.push_back(&(*body_.graph)[input].shape);
    const std::size_t parts = parts_of(forward);
    list.push_back({std::move(forward), parts});
    if (!body_.plan.view[id]) at_[id] = work_.get() + body_.plan.place[id];
  }

  void compute(Step& step) {
    Forward& one = step.forward;
    if (const auto at = body_.plan.view[one.node.id]) {
      at_[one.node.id] = at_[one.node.inputs[0]] + *at;
      return;
    }
    for (std::size_t k = 0; k < one.in.size(); ++k) one.in[k] = at_[one.node.inputs[k]];
    one.kept = &step.kept;
    one.out = const_cast<real*>(at_[one.node.id]);  // its own numbers: in the workspace or `out_`
    compute_whole(one, step.parts);
  }

  void begin_state(std::size_t k) {
    const std::size_t size = size_of(body_.states[k]);
    const std::size_t t = body_.backwards ? body_.count : 0;
    real* first = body_.keeps ? out_ + body_.parts[k].offset + t * size : passed_[0][k].data();
    std::copy_n(in_[k], size, first);
  }

  // Where result `part` of step t goes.
  real* target(std::size_t part, std::size_t t) {
    const std::size_t states = body_.states.size();
    const std::size_t size =
        size_of(part < states ? body_.next[part] : body_.outputs[part - states]);
    if (part < states && !body_.keeps) return passed_[1][part].data();
    return out_ + body_.parts[part].offset + (part < states ? body_.after(t) : t) * size;
  }

  void step(std::size_t t) {
    const std::size_t states = body_.states.size();
    for (std::size_t k = 0; k < states; ++k) {
      at_[body_.states[k]] =
          body_.keeps ? out_ + body_.parts[k].offset + body_.before(t) * size_of(body_.states[k])
                      : passed_[0][k].data();
    }
    for (std::size_t k = 0; k < body_.rows.size(); ++k)
      at_[body_.rows[k]] = in_[states + k] + t * size_of(body_.rows[k]);
    for (const ScanPlan::Result& result : body_.plan.results) {
      if (result.direct) at_[result.node] = target(result.part, t);
    }
    for (Step& one : each_) compute(one);
    for (const ScanPlan::Result& result : body_.plan.results) {
      if (!result.direct)
        std::copy_n(at_[result.node], size_of(result.node), target(result.part, t));
    }
    std::swap(passed_[0], passed_[1]);
  }

  const ScanBody& body_;
  kernels::Terms terms_;
  std::vector<const real*> in_;
  real* out_ = nullptr;
  std::unique_ptr<real[]> work_;
  std::vector<const real*> at_;     // by node of the body: its numbers in this step
  std::vector<std::size_t> sizes_;  // by node: how many
  std::vector<Step> once_, each_;
  std::vector<std::vector<real>> passed_[2];  // states that do not stay: of this step, of the next
};

Shape shape(const std::vector<Shape>&, const Attributes& a) { return {a.body->size}; }

std::size_t parts(const Sizes& s) {
  const ScanBody& body = *s.node.attributes.body;
  const std::size_t steps = body.plan.steps_in_part;
  return std::max<std::size_t>((body.count + steps - 1) / steps, 1);
}

// Between two parts the states are where the last ones go.
void forward(const Forward& f) {
  const ScanBody& body = *f.node.attributes.body;
  const std::size_t steps = body.plan.steps_in_part, first = f.part * steps;
  std::shared_ptr<void> alone;
  std::shared_ptr<void>& kept = f.kept != nullptr ? *f.kept : alone;
  if (kept == nullptr) kept = std::make_shared<Run>(body, f.terms);
  static_cast<Run*>(kept.get())->steps(f, first, std::min(first + steps, body.count));
}

// The body recorded once more, in the graph that is being recorded, from other operands.
std::vector<Var> replayed(const ScanBody& body, Graph& graph, const std::vector<Var>& states,
                          const std::vector<Var>& rows, const std::vector<Var>& captured) {
  std::vector<Var> made(body.graph->size());
  for (std::size_t k = 0; k < states.size(); ++k) made[body.states[k]] = states[k];
  for (std::size_t k = 0; k < rows.size(); ++k) made[body.rows[k]] = rows[k];
  for (std::size_t k = 0; k < captured.size(); ++k) made[body.captured[k]] = captured[k];
  std::vector<NodeId> order = body.plan.once;
  order.insert(order.end(), body.plan.each.begin(), body.plan.each.end());
  for (const NodeId id : order) {
    const Node& node = (*body.graph)[id];
    std::vector<Var> in;
    for (const NodeId input : node.inputs) in.push_back(made[input]);
    const RecordedFor module(graph, node.module);
    made[id] = graph.record(*node.primitive, in, node.attributes);
  }
  return made;
}

// With the states of all steps, which the way back reads.
Var with_states(const Backward& b) {
  if (b.attributes.body->keeps) return b.out;
  ScanBody kept = *b.attributes.body;
  kept.keeps = true;
  const auto body = finished(std::move(kept));
  return b.out.graph().record(primitives::scan, b.in, {{}, 0, body});
}

class WayBack {
 public:
  explicit WayBack(const Backward& b)
      : b_(b), body_(*b.attributes.body), s_(body_.states.size()), r_(body_.rows.size()) {}

  std::vector<Var> gradients_of_operands() {
    std::vector<ScanOperand> initial, rows;
    Graph& graph = b_.gradient.graph();
    const Var states = with_states(b_);
    const auto all_after = [&](Var kept) {
      return slice(kept, 0, body_.after(0), body_.after(0) + body_.count);
    };
    for (std::size_t k = 0; k < s_; ++k) {
      const Var own = part(k);
      initial.push_back({"\\bar{s}", body_.keeps ? zeros(graph, b_.in[k].shape()) : own});
      rows.push_back(
          {"s", slice(part_of(states, k), 0, body_.before(0), body_.before(0) + body_.count)});
    }
    for (std::size_t k = 0; k < r_; ++k) rows.push_back({"x", b_.in[s_ + k]});
    for (std::size_t k = 0; k < body_.parts.size(); ++k) {
      if (k >= s_)
        rows.push_back({"\\bar{y}", part(k)});
      else if (body_.keeps)
        rows.push_back({"\\bar{s}", all_after(part(k))});
    }
    for (std::size_t k = s_ + r_; k < b_.in.size(); ++k) {
      if (is_wanted(k)) initial.push_back({"\\bar{c}", zeros(graph, b_.in[k].shape())});
    }
    ScanRecorder recorder(graph, body_.count, !body_.backwards);
    std::vector<Var> state, row;
    for (const ScanOperand& one : initial) state.push_back(recorder.state(one));
    for (const ScanOperand& one : rows) row.push_back(recorder.row(one));
    const ScanStep made = step(state, row);
    for (std::size_t k = 0; k < state.size(); ++k) recorder.next(state[k], made.states[k]);
    for (const Var& output : made.outputs) recorder.output(output);
    const Scanned back = recorder.finish_quietly();
    return collected(back);
  }

 private:
  [[nodiscard]] bool is_wanted(std::size_t operand) const {
    return b_.wanted.empty() || b_.wanted[operand];
  }

  // The cotangent of part k of the flat result. Most often it was put together from just such parts.
  [[nodiscard]] Var part(std::size_t k) const {
    const ScanBody::Part& p = body_.parts[k];
    const std::size_t stop = p.offset + element_count(p.shape);
    return reshape(slice_of_parts(b_.gradient, 0, p.offset, stop), p.shape);
  }

  ScanStep step(const std::vector<Var>& state, const std::vector<Var>& row) {
    Graph& graph = b_.gradient.graph().innermost();
    const auto first = row.begin();
    const auto at = [&](std::size_t k) { return first + static_cast<long>(k); };
    const std::vector<Var> before(first, at(s_)), x(at(s_), at(s_ + r_));
    std::vector<Var> captured, by = before;
    for (std::size_t k = s_ + r_; k < b_.in.size(); ++k) captured.push_back(graph.here(b_.in[k]));
    for (std::size_t k = 0; k < r_; ++k) {
      if (is_wanted(s_ + k)) by.push_back(x[k]);
    }
    for (std::size_t k = s_ + r_; k < b_.in.size(); ++k) {
      if (is_wanted(k)) by.push_back(captured[k - s_ - r_]);
    }
    const std::vector<Var> made = replayed(body_, graph, before, x, captured);
    std::vector<Root> roots;
    std::size_t next = s_ + r_;
    for (std::size_t k = 0; k < s_; ++k) {
      const Var cotangent = body_.keeps ? state[k] + row[next++] : state[k];
      roots.push_back({graph.here(made[body_.next[k]]), cotangent});
    }
    for (const NodeId id : body_.outputs) roots.push_back({graph.here(made[id]), row[next++]});
    const std::vector<Var> slopes = gradients(roots, by);
    ScanStep result;
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      const std::size_t rows_end = slopes.size() - (state.size() - s_);
      if (k < s_)
        result.states.push_back(slopes[k]);
      else if (k < rows_end)
        result.outputs.push_back(slopes[k]);
      else
        result.states.push_back(state[k - rows_end + s_] + slopes[k]);
    }
    return result;
  }

  [[nodiscard]] std::vector<Var> collected(const Scanned& back) const {
    std::vector<Var> result(b_.in.size());
    std::size_t output = 0, state = s_;
    for (std::size_t k = 0; k < b_.in.size(); ++k) {
      if (k < s_) {
        result[k] = back.last[k];
        if (!body_.keeps) continue;
        // What the first place of the states kept is asked for by itself.
        const std::size_t place = body_.backwards ? body_.count : 0;
        result[k] = result[k] + reshape(slice(part(k), 0, place, place + 1), b_.in[k].shape());
      } else if (is_wanted(k)) {
        result[k] = k < s_ + r_ ? back.outputs[output++] : back.last[state++];
      }
    }
    return result;
  }

  const Backward& b_;
  const ScanBody& body_;
  std::size_t s_, r_;  // states, rows
};

std::vector<Var> vjp(const Backward& b) { return WayBack(b).gradients_of_operands(); }

Text latex(const Expression& e) { return latex_call("\\operatorname{scan}", e.in); }
// Exported code has a loop in its place (export/python.cpp).
Text python(const Expression& e) { return python_call("scan", e.in); }

// The cell's number; explanations walk into the step instead (ops/explain.cpp).
Text cell(const CellQuery& q) {
  std::vector<std::vector<real>> operands;
  std::vector<const real*> in;
  for (std::size_t k = 0; k < q.in_shapes.size(); ++k) {
    std::vector<real>& numbers = operands.emplace_back(element_count(*q.in_shapes[k]));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<real>(q.value(k, i));
  }
  for (const auto& numbers : operands) in.push_back(numbers.data());
  const ScanBody& body = *q.node.attributes.body;
  std::vector<real> out(body.size);
  Run(body, kernels::Terms::apart).steps({q.node, in, {}, out.data()}, 0, body.count);
  return number_text(static_cast<double>(out[q.flat]));
}

// That of every step; states are computed where the next step reads them.
Cost cost_rule(const Sizes& s) {
  const ScanBody& body = *s.node.attributes.body;
  const auto cost = [&](const std::vector<NodeId>& nodes) {
    std::vector<bool> needed(body.graph->size(), false);
    for (const NodeId id : nodes) needed[id] = true;
    return cost_of(*body.graph, needed);
  };
  Cost sum = cost(body.plan.once);
  return sum += times(cost(body.plan.each), body.count);
}

}  // namespace

const Primitive record{.name = "scan",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .batch = batched_scan,
                       .cost = cost_rule,
                       .parts = parts};

}  // namespace attend::scan_primitive

namespace attend {

std::vector<std::vector<real>> numbers_of_step(const ScanBody& body, std::size_t t,
                                               const std::vector<const real*>& in,
                                               const real* out) {
  const Graph& graph = *body.graph;
  std::vector<std::vector<real>> numbers(graph.size());
  const auto copy = [&](NodeId id, const real* from) {
    numbers[id].assign(from, from + element_count(graph[id].shape));
  };
  const std::size_t states = body.states.size(), rows = body.rows.size();
  for (std::size_t k = 0; k < states; ++k) {
    const std::size_t size = element_count(graph[body.states[k]].shape);
    copy(body.states[k], out + body.parts[k].offset + body.before(t) * size);
  }
  for (std::size_t k = 0; k < rows; ++k)
    copy(body.rows[k], in[states + k] + t * element_count(graph[body.rows[k]].shape));
  for (std::size_t k = 0; k < body.captured.size(); ++k)
    copy(body.captured[k], in[states + rows + k]);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    if (node.primitive == nullptr) continue;
    numbers[id].resize(element_count(node.shape));
    Forward forward{node, {}, {}, numbers[id].data()};
    for (const NodeId input : node.inputs) {
      forward.in.push_back(numbers[input].data());
      forward.in_shapes.push_back(&graph[input].shape);
    }
    compute_whole(forward, parts_of(forward));
  }
  return numbers;
}

}  // namespace attend
