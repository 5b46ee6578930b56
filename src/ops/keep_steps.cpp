// SPDX-License-Identifier: Apache-2.0
#include "ops/keep_steps.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "ops/compose.h"
#include "ops/module_places.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"
#include "ops/scan.h"
#include "ops/views.h"

namespace attend {
namespace {

namespace p = primitives;

std::vector<bool> marked(std::size_t size, const std::vector<NodeId>& list) {
  std::vector<bool> marks(size, false);
  for (const NodeId id : list) marks[id] = true;
  return marks;
}

// A scan, and one of its states before each of the steps.
struct StatesBefore {
  NodeId scan;
  std::size_t state;
};

// The scan whose states these rows are, as the way back reads them.
std::optional<StatesBefore> states_before(const Graph& graph, NodeId rows) {
  const Node& part = graph[rows];
  if (part.primitive != &p::slice || axis_index(part.attributes[0], part.shape.size()) != 0)
    return std::nullopt;
  const Node& shaped = graph[part.inputs[0]];
  if (shaped.primitive != &p::reshape) return std::nullopt;
  const Node& flat = graph[shaped.inputs[0]];
  if (flat.primitive != &p::slice || graph[flat.inputs[0]].primitive != &p::scan)
    return std::nullopt;
  const Node& scan = graph[flat.inputs[0]];
  const ScanBody& body = *scan.attributes.body;
  if (!body.keeps) return std::nullopt;
  const auto is = [](const Node& slice, std::size_t start, std::size_t stop) {
    return slice.attributes[1] == static_cast<long>(start) &&
           slice.attributes[2] == static_cast<long>(stop);
  };
  for (std::size_t k = 0; k < body.states.size(); ++k) {
    const ScanBody::Part& one = body.parts[k];
    if (is(flat, one.offset, one.offset + element_count(one.shape)) && shaped.shape == one.shape &&
        is(part, body.before(0), body.before(0) + body.count))
      return StatesBefore{scan.id, k};
  }
  return std::nullopt;
}

// The nodes of a way back that compute what the scan has computed in the same step.
class Replay {
 public:
  // `back` is a scan: whose way back it is, is found by what it reads.
  Replay(const Graph& graph, const Node& back)
      : body_(*back.attributes.body), same_(body_.graph->size()) {
    const std::size_t states = body_.states.size();
    for (std::size_t k = 0; k < body_.rows.size() && !scan_; ++k) {
      const auto read = states_before(graph, back.inputs[states + k]);
      if (read && turns(*graph[read->scan].attributes.body)) scan_ = read->scan;
    }
    if (!scan_) return;
    match_operands(graph, back);
    match_nodes();
  }

  [[nodiscard]] std::optional<NodeId> scan() const { return scan_; }
  // The node of the scan's step that is the same as one of the way back's.
  [[nodiscard]] NodeId same(NodeId id) const { return *same_[id]; }

  // What the rest of the way back reads of those nodes. A view of such a node is no numbers of its own, and copies of
  // its numbers are as quickly made as read.
  [[nodiscard]] std::vector<NodeId> read() const {
    const Graph& graph = *body_.graph;
    const std::vector<bool> each = marked(graph.size(), body_.plan.each);
    std::vector<bool> found(graph.size(), false);
    const auto add = [&](NodeId id) {
      while (each[id] && same_[id] &&
             (view_of(graph, id) || graph[id].primitive == &p::broadcast_to))
        id = graph[id].inputs[0];
      if (each[id] && same_[id]) found[id] = true;
    };
    for (const NodeId id : body_.plan.each) {
      if (same_[id]) continue;
      for (const NodeId input : graph[id].inputs) add(input);
    }
    for (const auto* results : {&body_.next, &body_.outputs}) {
      for (const NodeId id : *results) add(id);
    }
    std::vector<NodeId> list;
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (found[id]) list.push_back(id);
    }
    return list;
  }

 private:
  [[nodiscard]] bool turns(const ScanBody& other) const {
    return other.count == body_.count && other.backwards != body_.backwards;
  }

  void match_operands(const Graph& graph, const Node& back) {
    const Node& scan = graph[*scan_];
    step_ = scan.attributes.body.get();
    const std::size_t states = body_.states.size(), rows = states + body_.rows.size();
    std::map<NodeId, NodeId> row, captured;  // of the scan: by the operand, the leaf of its step
    const std::size_t own = step_->states.size(), own_rows = own + step_->rows.size();
    for (std::size_t k = 0; k < step_->rows.size(); ++k)
      row.emplace(scan.inputs[own + k], step_->rows[k]);
    for (std::size_t k = 0; k < step_->captured.size(); ++k)
      captured.emplace(scan.inputs[own_rows + k], step_->captured[k]);
    const auto match = [&](NodeId leaf, const std::map<NodeId, NodeId>& among, NodeId operand) {
      const auto found = among.find(operand);
      if (found != among.end()) same_[leaf] = found->second;
    };
    for (std::size_t k = 0; k < body_.rows.size(); ++k) {
      const NodeId operand = back.inputs[states + k];
      const auto read = states_before(graph, operand);
      if (read && read->scan == *scan_)
        same_[body_.rows[k]] = step_->states[read->state];
      else
        match(body_.rows[k], row, operand);
    }
    for (std::size_t k = 0; k < body_.captured.size(); ++k)
      match(body_.captured[k], captured, back.inputs[rows + k]);
  }

  void match_nodes() {
    using Key = std::tuple<const Primitive*, std::vector<NodeId>, Shape>;
    std::map<Key, std::vector<NodeId>> known;
    for (const auto* list : {&step_->plan.once, &step_->plan.each}) {
      for (const NodeId id : *list) {
        const Node& node = (*step_->graph)[id];
        known[{node.primitive, node.inputs, node.shape}].push_back(id);
      }
    }
    for (const auto* list : {&body_.plan.once, &body_.plan.each}) {
      for (const NodeId id : *list) {
        const Node& node = (*body_.graph)[id];
        std::vector<NodeId> inputs;
        for (const NodeId input : node.inputs) {
          if (same_[input]) inputs.push_back(*same_[input]);
        }
        // The parts of a scan inside are taken apart by other rules.
        if (inputs.size() != node.inputs.size() || node.attributes.body != nullptr) continue;
        const auto found = known.find({node.primitive, inputs, node.shape});
        if (found == known.end()) continue;
        for (const NodeId other : found->second) {
          if ((*step_->graph)[other].attributes == node.attributes) same_[id] = other;
        }
      }
    }
  }

  const ScanBody& body_;
  const ScanBody* step_ = nullptr;
  std::optional<NodeId> scan_;
  std::vector<std::optional<NodeId>> same_;  // by node of the way back: that of the scan's step
};

// What a scan has to keep for a way back: nodes of the way back, and where their rows are.
struct Kept {
  NodeId scan;
  std::vector<std::pair<NodeId, NodeId>> nodes;  // of the way back, of the scan's step
};

std::size_t numbers_of_all_steps(const ScanBody& body) {
  std::size_t sum = 0;
  for (const NodeId id : body.plan.each) sum += body.count * element_count((*body.graph)[id].shape);
  return sum;
}

// Whether only parts of a scan's flat result are read, so that it may grow at its end.
std::vector<bool> may_grow(const Program& program) {
  const Graph& graph = program.graph();
  std::vector<bool> may(graph.size(), true);
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph[id].primitive == &p::slice) continue;
    for (const NodeId input : graph[id].inputs) may[input] = false;
  }
  for (const Program::Result& result : program.results()) may[result.node] = false;
  return may;
}

class Pass {
 public:
  Pass(const Program& program, std::size_t most_numbers)
      : old_(program.graph()), to_(program), graph_(to_.graph()) {
    const std::vector<bool> may = may_grow(program);
    for (NodeId id = 0; id < old_.size(); ++id) {
      const Node& node = old_[id];
      if (node.primitive != &p::scan || node.attributes.body->count < 2 ||
          numbers_of_all_steps(*node.attributes.body) > most_numbers)
        continue;
      const Replay replay(old_, node);
      if (!replay.scan() || !may[*replay.scan()]) continue;
      const std::vector<NodeId> read = replay.read();
      if (read.empty()) continue;
      Kept& kept = back_[id];
      kept.scan = *replay.scan();
      for (const NodeId one : read) kept.nodes.emplace_back(one, replay.same(one));
      for (const auto& [own, step] : kept.nodes) keep(kept.scan, step);
    }
  }

  Program program() {
    to_.copy([&](const Node& node, const std::vector<NodeId>& inputs) -> Var {
      const RecordedFor module(graph_, node.module);
      if (const auto grown = grown_.find(node.id); grown != grown_.end())
        return graph_.record(p::scan, vars(inputs), {{}, 0, finished(grown->second)});
      if (const auto back = back_.find(node.id); back != back_.end())
        return recorded(*node.attributes.body, back->second, vars(inputs));
      return {};
    });
    return to_.program();
  }

 private:
  // One more output of the scan, unless it is a result of it already.
  void keep(NodeId scan, NodeId step) {
    ScanBody& body = grown_.try_emplace(scan, *old_[scan].attributes.body).first->second;
    const auto has = [step](const std::vector<NodeId>& list) {
      return std::find(list.begin(), list.end(), step) != list.end();
    };
    if (!has(body.next) && !has(body.outputs)) body.outputs.push_back(step);
  }

  [[nodiscard]] std::vector<Var> vars(const std::vector<NodeId>& ids) const {
    std::vector<Var> list;
    for (const NodeId id : ids) list.push_back(graph_.var(id));
    return list;
  }

  // The rows of a node of the scan's step.
  [[nodiscard]] Var rows(NodeId scan, NodeId step) const {
    const Var flat = to_.now(scan);
    const ScanBody& body = *flat.node().attributes.body;
    const auto place = [step](const std::vector<NodeId>& list) {
      return static_cast<std::size_t>(std::find(list.begin(), list.end(), step) - list.begin());
    };
    if (const std::size_t k = place(body.next); k < body.next.size())
      return slice(part_of(flat, k), 0, body.after(0), body.after(0) + body.count);
    return part_of(flat, body.states.size() + place(body.outputs));
  }

  // The way back, recorded from what is kept. Only what the rest needs is recorded.
  Var recorded(const ScanBody& body, const Kept& kept, const std::vector<Var>& in) {
    const Graph& step = *body.graph;
    const std::size_t states = body.states.size(), captured = states + body.rows.size();
    std::vector<Var> inside(step.size());
    std::vector<bool> needed(step.size(), false), given(step.size(), false);
    for (const auto& [own, other] : kept.nodes) given[own] = true;
    for (const auto* results : {&body.next, &body.outputs}) {
      for (const NodeId id : *results) needed[id] = true;
    }
    for (NodeId id = static_cast<NodeId>(step.size()); id-- > 0;) {
      if (!needed[id] || given[id]) continue;
      for (const NodeId input : step[id].inputs) needed[input] = true;
    }
    std::vector<Var> read;
    for (const auto& [own, other] : kept.nodes) read.push_back(rows(kept.scan, other));
    ScanRecorder recorder(graph_, body.count, body.backwards);
    for (std::size_t k = 0; k < states; ++k)
      inside[body.states[k]] = recorder.state({step[body.states[k]].name, in[k]});
    for (std::size_t k = 0; k < body.rows.size(); ++k) {
      const NodeId id = body.rows[k];
      if (needed[id]) inside[id] = recorder.row({step[id].name, in[states + k]});
    }
    for (std::size_t k = 0; k < body.captured.size(); ++k)
      inside[body.captured[k]] = in[captured + k];
    for (std::size_t k = 0; k < read.size(); ++k)
      inside[kept.nodes[k].first] = recorder.row({"", read[k]});
    for (const auto* list : {&body.plan.once, &body.plan.each}) {
      for (const NodeId id : *list) {
        if (!needed[id] || given[id]) continue;
        std::vector<Var> operands;
        for (const NodeId input : step[id].inputs) operands.push_back(inside[input]);
        const RecordedFor module(graph_, step[id].module);
        inside[id] = graph_.innermost().record(*step[id].primitive, operands, step[id].attributes);
      }
    }
    for (std::size_t k = 0; k < states; ++k)
      recorder.next(inside[body.states[k]], inside[body.next[k]]);
    for (const NodeId id : body.outputs) recorder.output(inside[id]);
    return recorder.finish_flat(body.keeps);
  }

  const Graph& old_;
  Rewrite to_;
  Graph& graph_;
  std::map<NodeId, Kept> back_;       // by the way back
  std::map<NodeId, ScanBody> grown_;  // by the scan
};

}  // namespace

Program with_kept_steps(const Program& program, std::size_t most_numbers) {
  return Pass(program, most_numbers).program();
}

}  // namespace attend
