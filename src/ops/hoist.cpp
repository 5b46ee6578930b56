// SPDX-License-Identifier: Apache-2.0
#include "ops/hoist.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ops/batching.h"
#include "ops/module_places.h"
#include "ops/parts.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"
#include "ops/scan.h"

namespace attend {
namespace {

namespace p = primitives;

bool has(const std::vector<NodeId>& list, NodeId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

// What the nodes of a step are to the scan.
struct Roles {
  std::vector<bool> before, core,
      behind;  // by node: reads rows alone; carries the state on; neither
  std::vector<std::optional<NodeId>>
      summed;               // by state: what every step adds to it, if it does nothing else
  std::size_t numbers = 0;  // that `before` and `behind` are for all steps
};

// What every step adds to state k, where nothing else reads that state or what it becomes.
std::optional<NodeId> summand(const ScanBody& body, const std::vector<bool>& needed,
                              std::size_t k) {
  const Graph& graph = *body.graph;
  const NodeId state = body.states[k], next = body.next[k];
  const Node& add = graph[next];
  if (body.keeps || add.primitive != &p::add || has(body.outputs, state) || has(body.outputs, next))
    return std::nullopt;
  std::size_t reads = 0;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!needed[id]) continue;
    for (const NodeId input : graph[id].inputs) {
      if (input == next) return std::nullopt;
      if (input == state) ++reads;
    }
  }
  for (std::size_t other = 0; other < body.next.size(); ++other) {
    if (body.next[other] == state || (other != k && body.next[other] == next)) return std::nullopt;
  }
  const bool first = add.inputs[0] == state;
  if (reads != 1 || (!first && add.inputs[1] != state)) return std::nullopt;
  const NodeId slope = add.inputs[first ? 1 : 0];
  if (graph[slope].shape != graph[state].shape) return std::nullopt;
  return slope;
}

// Whether it is a part of the flat result of a scan that stays, as it lies there or in its shape.
bool is_part_inside(const Graph& graph, NodeId id, const std::vector<bool>& stays) {
  const Node& node = graph[id];
  if (node.inputs.empty() || !stays[node.inputs[0]]) return false;
  const Node& of = graph[node.inputs[0]];
  if (node.primitive == &p::slice) return of.primitive == &p::scan;
  return node.primitive == &p::reshape && of.primitive == &p::slice &&
         graph[of.inputs[0]].primitive == &p::scan;
}

Roles roles_of(const ScanBody& body) {
  const Graph& graph = *body.graph;
  const std::size_t size = graph.size();
  std::vector<bool> needed(size, false), stateful(size, false), sums(size, false);
  for (const NodeId id : body.plan.each) needed[id] = true;
  Roles roles{std::vector<bool>(size, false),
              std::vector<bool>(size, false),
              std::vector<bool>(size, false),
              {}};
  for (std::size_t k = 0; k < body.states.size(); ++k) {
    roles.summed.push_back(summand(body, needed, k));
    if (roles.summed[k])
      sums[body.next[k]] = true;
    else
      stateful[body.states[k]] = roles.core[body.next[k]] = true;
  }
  for (NodeId id = 0; id < size; ++id) {
    for (const NodeId input : graph[id].inputs) {
      if (stateful[input]) stateful[id] = true;
    }
  }
  for (NodeId id = static_cast<NodeId>(size); id-- > 0;) {
    roles.core[id] = roles.core[id] && stateful[id] && needed[id];
    if (!roles.core[id]) continue;
    for (const NodeId input : graph[id].inputs) roles.core[input] = true;
  }
  // A scan inside gives its parts, not the flat numbers in which they lie.
  for (NodeId id = 0; id < size; ++id)
    roles.core[id] = roles.core[id] || (needed[id] && is_part_inside(graph, id, roles.core));
  for (NodeId id = 0; id < size; ++id) {
    if (!needed[id] || sums[id] || roles.core[id]) continue;
    (stateful[id] ? roles.behind : roles.before)[id] = true;
    roles.numbers += body.count * element_count(graph[id].shape);
  }
  return roles;
}

// Whether all numbers of a node are 0, whatever the leaves are: gradients of scans begin with such sums, and read such
// rows for results that nothing follows.
bool is_zero(Var var) {
  for (const Graph& graph = var.graph();; var = graph.var(var.node().inputs[0])) {
    const Node& node = var.node();
    if (node.leaf) return false;
    if (node.primitive == &p::fill) return node.attributes.number == 0;
    if (node.primitive != &p::reshape && node.primitive != &p::slice &&
        node.primitive != &p::permute && node.primitive != &p::broadcast_to)
      return false;
  }
}

// The operand that an addition passes on, where the other one is 0; `var_of` gives the node of an operand outside of
// the step, or none. A node with a name stays.
template <class VarOf>
std::optional<NodeId> passed_on(const Graph& graph, const Node& node, VarOf var_of) {
  if (node.primitive != &p::add || !node.name.empty()) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const NodeId other = node.inputs[1 - k];
    const Var var = var_of(node.inputs[k]);
    if (graph[other].shape == node.shape && var && is_zero(var)) return other;
  }
  return std::nullopt;
}

// One scan, recorded in another graph in parts.
class Hoisting {
 public:
  Hoisting(Graph& graph, const ScanBody& body, const Roles& roles, std::vector<Var> in)
      : graph_(graph),
        body_(body),
        step_(*body.graph),
        roles_(roles),
        in_(std::move(in)),
        all_{std::vector<Var>(step_.size()), std::vector<bool>(step_.size(), false)} {}

  // The flat result as the scan has it.
  Var recorded() {
    const std::size_t states = body_.states.size(), rows = body_.rows.size();
    for (std::size_t k = 0; k < rows; ++k) set(body_.rows[k], in_[states + k]);
    for (std::size_t k = 0; k < body_.captured.size(); ++k)
      all_.vars[body_.captured[k]] = in_[states + rows + k];
    for (const NodeId id : body_.plan.once) {
      const RecordedFor module(graph_, step_[id].module);
      all_.vars[id] = same_node(graph_, step_[id], all_.vars);
    }
    compute(roles_.before);
    std::vector<Var> parts = chained();
    compute(roles_.behind);
    for (std::size_t k = 0; k < states; ++k) {
      if (!roles_.summed[k]) continue;
      const Var sum = total(*roles_.summed[k]);
      parts[k] = is_zero(in_[k]) ? sum : in_[k] + sum;
    }
    for (const NodeId id : body_.outputs) parts.push_back(of_all_steps(id));
    for (Var& part : parts) part = reshape(part, {element_count(part.shape())});
    return parts.size() == 1 ? parts.front() : concat(parts, 0);
  }

 private:
  void set(NodeId id, Var of_all) {
    all_.vars[id] = of_all;
    all_.led[id] = true;
  }

  void compute(const std::vector<bool>& chosen) {
    for (NodeId id = 0; id < step_.size(); ++id) {
      if (!chosen[id]) continue;
      if (const auto other = passed_on(id); other && all_.led[*other]) {
        set(id, all_.vars[*other]);
        continue;
      }
      const RecordedFor module(graph_, step_[id].module);
      set(id, batched_node(step_, step_[id], body_.count, all_));
    }
  }

  [[nodiscard]] std::optional<NodeId> passed_on(NodeId id) const {
    return attend::passed_on(step_, step_[id], [this](NodeId k) { return all_.vars[k]; });
  }

  [[nodiscard]] Var of_all_steps(NodeId id) const {
    if (all_.led[id]) return all_.vars[id];
    Shape shape = step_[id].shape;
    shape.insert(shape.begin(), body_.count);
    return broadcast_to(all_.vars[id], shape);
  }

  // What is computed in the scan, and read outside of it.
  [[nodiscard]] std::vector<NodeId> handed_out() const {
    std::vector<bool> read(step_.size(), false);
    for (NodeId id = 0; id < step_.size(); ++id) {
      if (!roles_.behind[id]) continue;
      for (const NodeId input : step_[id].inputs) read[input] = true;
    }
    for (const NodeId id : body_.outputs) read[id] = true;
    for (const auto& slope : roles_.summed) {
      if (slope) read[*slope] = true;
    }
    std::vector<NodeId> list;
    for (NodeId id = 0; id < step_.size(); ++id) {
      if (read[id] && (roles_.core[id] || has(body_.states, id))) list.push_back(id);
    }
    return list;
  }

  // The scan over what carries the states on; the parts of the states, empty for sums.
  std::vector<Var> chained() {
    std::vector<Var> parts(body_.states.size());
    std::vector<std::size_t> real;
    for (std::size_t k = 0; k < body_.states.size(); ++k) {
      if (!roles_.summed[k]) real.push_back(k);
    }
    if (real.empty()) return parts;
    ScanRecorder recorder(graph_, body_.count, body_.backwards);
    std::vector<Var> inside = all_.vars;
    for (const std::size_t k : real)
      inside[body_.states[k]] = recorder.state({step_[body_.states[k]].name, in_[k]});
    const auto read = [&](NodeId id) {
      return all_.led[id] ? recorder.row({step_[id].name, all_.vars[id]}) : inside[id];
    };
    for (NodeId id = 0; id < step_.size(); ++id) {
      if (!roles_.core[id] || step_[id].primitive == nullptr) continue;
      if (const auto other = passed_on(id)) {
        inside[id] = read(*other);
        continue;
      }
      std::vector<Var> in;
      for (const NodeId input : step_[id].inputs) in.push_back(read(input));
      const RecordedFor module(graph_, step_[id].module);
      inside[id] = graph_.innermost().record(*step_[id].primitive, in, step_[id].attributes);
    }
    for (const std::size_t k : real) recorder.next(inside[body_.states[k]], read(body_.next[k]));
    const std::vector<NodeId> list = handed_out();
    for (const NodeId id : list) recorder.output(inside[id]);
    const Var flat = recorder.finish_flat(body_.keeps);
    for (std::size_t k = 0; k < real.size(); ++k) parts[real[k]] = part_of(flat, k);
    for (std::size_t k = 0; k < list.size(); ++k) set(list[k], part_of(flat, real.size() + k));
    return parts;
  }

  // The sum of a node over all steps.
  Var total(NodeId id) {
    const Node& node = step_[id];
    if (!all_.led[id]) return sum(of_all_steps(id), 0);
    if (const auto other = passed_on(id); other && all_.vars[*other]) return total(*other);
    const bool led_alone =
        node.primitive != nullptr && (roles_.before[id] || roles_.behind[id]) &&
        std::all_of(node.inputs.begin(), node.inputs.end(), [&](NodeId k) { return all_.led[k]; });
    if (led_alone && node.primitive == &p::matmul) {
      if (const Var product = summed_product(node)) return product;
    }
    if (led_alone && (node.primitive == &p::reshape || node.primitive == &p::permute))
      return graph_.record(*node.primitive, {total(node.inputs[0])}, node.attributes);
    const bool alike = led_alone && node.primitive == &p::add &&
                       step_[node.inputs[0]].shape == node.shape &&
                       step_[node.inputs[1]].shape == node.shape;
    if (alike) return total(node.inputs[0]) + total(node.inputs[1]);
    return sum(all_.vars[id], 0);
  }

  // The sum of a^T b over the steps: one product over the rows of all steps.
  Var summed_product(const Node& node) {
    if (node.attributes[0] == 0 || node.attributes[1] != 0 || node.inputs[0] == node.inputs[1])
      return {};
    const auto rows = [&](NodeId id) -> Var {
      const Shape& shape = step_[id].shape;
      const std::size_t columns = shape.back(), all = element_count(shape);
      if (columns == 0 || all != shape[shape.size() - 2] * columns) return {};
      return reshape(all_.vars[id], {body_.count * shape[shape.size() - 2], columns});
    };
    const Var a = rows(node.inputs[0]), b = rows(node.inputs[1]);
    if (!a || !b) return {};
    return reshape(matmul(a, b, true, false), node.shape);
  }

  Graph& graph_;
  const ScanBody& body_;
  const Graph& step_;
  const Roles& roles_;
  std::vector<Var> in_;
  Batched all_;  // what stands outside of the scan: rows and all that is computed for all steps
};

bool gains(const Roles& roles) {
  const auto any = [](const std::vector<bool>& list) {
    return std::find(list.begin(), list.end(), true) != list.end();
  };
  return any(roles.before) || any(roles.behind) ||
         std::any_of(roles.summed.begin(), roles.summed.end(),
                     [](const auto& one) { return one.has_value(); });
}

}  // namespace

Program hoisted(const Program& program, std::size_t most_numbers) {
  Rewrite to(program);
  Graph& graph = to.graph();
  std::vector<bool> parted(program.graph().size(), false);
  to.copy([&](const Node& node, const std::vector<NodeId>& inputs) -> Var {
    if (node.primitive == &p::scan && node.attributes.body->count > 1) {
      const ScanBody& body = *node.attributes.body;
      const Roles roles = roles_of(body);
      if (!gains(roles) || roles.numbers > most_numbers) return {};
      std::vector<Var> in;
      for (const NodeId input : inputs) in.push_back(graph.var(input));
      const RecordedFor module(graph, node.module);
      parted[node.id] = true;
      return Hoisting(graph, body, roles, std::move(in)).recorded();
    }
    if (node.primitive == &p::slice && parted[node.inputs[0]])
      return slice_of_parts(graph.var(inputs[0]), node.attributes[0],
                            static_cast<std::size_t>(node.attributes[1]),
                            static_cast<std::size_t>(node.attributes[2]));
    const auto var_of = [&](NodeId id) {
      const auto at = std::ranges::find(node.inputs, id) - node.inputs.begin();
      return graph.var(inputs[static_cast<std::size_t>(at)]);
    };
    if (const auto other = passed_on(program.graph(), node, var_of)) return var_of(*other);
    return {};
  });
  return to.program();
}

}  // namespace attend
