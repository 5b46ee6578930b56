// SPDX-License-Identifier: Apache-2.0
#include "ops/explain.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "ops/broadcast_loop.h"
#include "ops/error.h"
#include "ops/formula.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/shift.h"
#include "ops/text.h"

namespace attend {
namespace {

constexpr std::size_t longest_text = 1000;     // characters: what a reader may still follow
constexpr int deepest = 24;                    // levels of nameless operands
constexpr std::size_t most_operands = 20'000;  // written for one text
constexpr std::size_t most_reads = 300'000;    // followed for the feeds

// A cell of a graph, or of one step of a scan in it: then `frame` is not 0.
struct Cell {
  NodeId node;
  std::size_t flat;
  std::size_t frame = 0;
  bool state = false;  // what the step before has left: shown by its number
  bool operator<(const Cell& other) const {
    return std::tie(frame, node, flat) < std::tie(other.frame, other.node, other.flat);
  }
};

// One step of a scan, with all its numbers.
struct Frame {
  const Graph* graph;
  std::size_t around = 0;  // the frame that the scan stands in
  NodeId scan = 0;
  std::size_t t = 0;
  std::vector<std::vector<real>> numbers;  // by node
};

class Explainer {
 public:
  Explainer(const Graph& graph, const Values& values) : values_(values) {
    frames_.push_back({&graph, 0, 0, 0, {}});
  }

  [[nodiscard]] double value(Cell cell) const {
    const Numbers numbers = numbers_of(cell.frame, cell.node);
    if (cell.flat >= numbers.size()) {
      refuse("there is no value for cell " + std::to_string(cell.flat) + " of step " +
             std::to_string(cell.node));
    }
    return static_cast<double>(numbers[cell.flat]);
  }

  [[nodiscard]] const Node& node(Cell cell) const { return graph(cell)[cell.node]; }

  // Prints a cell's computation; `operand` gets the node and the cell that it prints.
  template <class Operand, class Read>
  Text print(Cell cell, Operand operand, Read read) {
    const Node& node = this->node(cell);
    CellQuery query{node, {}, cell.flat, {}, {}};
    for (const NodeId input : node.inputs) query.in_shapes.push_back(&graph(cell)[input].shape);
    const auto at = [&, cell](std::size_t k, std::size_t flat) {
      return resolved({node.inputs[k], flat, cell.frame});
    };
    query.operand = [&, at](std::size_t k, std::size_t flat) { return operand(at(k, flat)); };
    query.value = [&, at](std::size_t k, std::size_t flat) {
      read(at(k, flat));
      return value(at(k, flat));
    };
    return node.primitive->cell(query);
  }

  // Follows copies to the cell that was really computed: a printer that gives back its one operand
  // copies it.
  [[nodiscard]] Cell origin(Cell cell) {
    cell = resolved(cell);
    while (node(cell).primitive != nullptr && !node(cell).inputs.empty() && !cell.state) {
      std::vector<Cell> asked;
      const auto ask = [&](Cell c) {
        asked.push_back(c);
        return Text{"?"};
      };
      const Text text = print(cell, ask, [](Cell) {});
      if (asked.size() != 1 || text.text != "?") break;
      cell = asked[0];
    }
    return cell;
  }

  [[nodiscard]] std::string formula(Cell cell) const {
    std::vector<Around> around;
    for (std::size_t f = cell.frame; f != 0; f = frames_[f].around)
      around.insert(around.begin(), {frames_[frames_[f].around].graph, frames_[f].scan});
    return formula_of(graph(cell), cell.node, 2000, around);
  }

  // The computation with numbers, written out as deep as the length allows.
  [[nodiscard]] std::string numbers(Cell cell) {
    if (node(cell).primitive == nullptr || cell.state) return number_latex(value(cell));
    std::string best;
    for (int depth = 0; depth <= deepest; ++depth) {
      Budget budget{depth, most_operands, false};
      std::string text = written(cell, 0, budget, false).text;
      const bool fits = text.size() <= longest_text && budget.left > 0;
      if (fits || depth == 0) best = std::move(text);
      if (!fits || !budget.cut) break;
    }
    return best;
  }

  // The named cells behind a cell, nameless ones looked through.
  [[nodiscard]] std::vector<Feed> feeds(Cell cell) {
    std::map<NodeId, std::set<std::size_t>> found;
    const auto note = [&](Cell c) {
      if (!is_shown_by_number(c)) return;
      if (const auto outside = lifted(c)) found[outside->node].insert(outside->flat);
    };
    if (node(cell).primitive == nullptr) {
      note(cell);
      return listed(found);
    }
    std::set<Cell> seen;
    std::size_t reads = 0;
    std::vector<Cell> open{cell};
    while (!open.empty() && reads < most_reads) {
      const Cell next = open.back();
      open.pop_back();
      const auto meet = [&](Cell c) {
        note(c);
        if (++reads < most_reads && !is_shown_by_number(c) && seen.insert(c).second) {
          open.push_back(c);
        }
        return Text{"?"};
      };
      (void)print(next, meet, note);
    }
    return listed(found);
  }

  [[nodiscard]] std::vector<Term> terms(Cell cell) {
    const Node& node = this->node(cell);
    if (node.primitive != &primitives::softmax) return {};
    const std::size_t cols = node.shape.back(), start = cell.flat / cols * cols;
    std::vector<Term> list;
    std::vector<double> scores;
    for (std::size_t j = start; j < start + cols; ++j) {
      if (node.inputs.size() == 2) {
        const Shape& mask = graph(cell)[node.inputs[1]].shape;
        if (value({node.inputs[1], broadcast_position(j, mask, node.shape), cell.frame}) == 0)
          continue;
      }
      scores.push_back(unmoved({node.inputs[0], j, cell.frame}));
      list.push_back({0, j == cell.flat, j - start});
    }
    if (list.empty()) return list;
    const double top = *std::max_element(scores.begin(), scores.end());
    const double shift = top > 700 ? top : 0;  // e^710 is past the largest double
    for (std::size_t k = 0; k < list.size(); ++k) list[k].value = std::exp(scores[k] - shift);
    return list;
  }

  // a_j = [r x_j - tau]_+^{1/r}: the bars are r x_j, and tau follows from the largest weight.
  [[nodiscard]] Cut cut(Cell cell) const {
    const Node& node = this->node(cell);
    const auto operand = [&](std::size_t k, std::size_t flat) {
      return value({node.inputs[k], flat, cell.frame});
    };
    if (node.primitive != &primitives::entmax) return {};
    const std::size_t cols = node.shape.back(), start = cell.flat / cols * cols;
    const Shape& of_r = graph(cell)[node.inputs[1]].shape;
    const double r = operand(1, broadcast_position(start, of_r, node.shape));
    if (r == 0) return {};
    Cut found{0, 1 / r, {}};
    double top = 0, most = -1;
    for (std::size_t j = start; j < start + cols; ++j) {
      const bool masked = node.inputs.size() == 3;
      if (masked &&
          operand(2, broadcast_position(j, graph(cell)[node.inputs[2]].shape, node.shape)) == 0)
        continue;
      const double bar = r * operand(0, j), weight = value({cell.node, j, cell.frame});
      found.bars.push_back({bar, j == cell.flat, j - start});
      if (weight > most) {
        most = weight;
        top = bar;
      }
    }
    found.level = top - std::pow(std::max(most, 0.), r);
    return found;
  }

 private:
  struct Budget {
    int depth;
    std::size_t left;
    bool cut;
  };

  [[nodiscard]] const Graph& graph(Cell cell) const { return *frames_[cell.frame].graph; }

  [[nodiscard]] Numbers numbers_of(std::size_t frame, NodeId node) const {
    return frame != 0 ? Numbers(frames_[frame].numbers[node]) : values_[node];
  }

  static std::vector<Feed> listed(const std::map<NodeId, std::set<std::size_t>>& found) {
    std::vector<Feed> list;
    for (const auto& [node, cells] : found) list.push_back({node, {cells.begin(), cells.end()}});
    return list;
  }

  [[nodiscard]] bool is_shown_by_number(Cell cell) const {
    return cell.state || !node(cell).name.empty() || node(cell).primitive == nullptr;
  }

  // A scan that had kept its last states only, run again once: its steps read those before.
  const AllSteps& all_of(std::size_t around, NodeId scan) {
    const auto [found, fresh] = all_.try_emplace({around, scan});
    const Node& node = (*frames_[around].graph)[scan];
    if (fresh) found->second = with_all_states(node, operands_of(around, node));
    return found->second;
  }

  [[nodiscard]] std::vector<const real*> operands_of(std::size_t around, const Node& node) const {
    std::vector<const real*> in;
    for (const NodeId input : node.inputs) in.push_back(numbers_of(around, input).data());
    return in;
  }

  // The steps of a scan as they lie with the states of all of them.
  const ScanBody& steps_of(std::size_t around, NodeId scan) {
    const ScanBody& own = *(*frames_[around].graph)[scan].attributes.body;
    return own.keeps ? own : *all_of(around, scan).body;
  }

  // Step t of a scan, its numbers computed once.
  std::size_t frame_of(std::size_t around, NodeId scan, std::size_t t) {
    for (std::size_t f = 1; f < frames_.size(); ++f) {
      if (frames_[f].around == around && frames_[f].scan == scan && frames_[f].t == t) return f;
    }
    const Node& node = (*frames_[around].graph)[scan];
    const ScanBody& body = steps_of(around, scan);
    const Numbers out = node.attributes.body->keeps ? numbers_of(around, scan)
                                                    : Numbers(all_of(around, scan).numbers);
    frames_.push_back({body.graph.get(), around, scan, t,
                       numbers_of_step(body, t, operands_of(around, node), out.data())});
    return frames_.size() - 1;
  }

  // The cell that this one is, where a scan hands it out or its step reads it from outside.
  Cell resolved(Cell cell) {
    bool all = false;  // it lies among the states of all steps already
    for (;;) {
      const Node& node = this->node(cell);
      if (node.primitive == &primitives::scan) {
        const ScanBody& steps = steps_of(cell.frame, cell.node);
        if (!all) cell.flat = among_all_states(*node.attributes.body, steps, cell.flat);
        all = false;
        cell = in_step(cell, steps);
      } else if (cell.frame != 0 && node.primitive == nullptr) {
        cell = outside_of_step(cell, all);
      } else {
        return cell;
      }
    }
  }

  Cell in_step(Cell cell, const ScanBody& body) {
    const auto [part, place, flat] = cell_of(body, cell.flat);
    const std::size_t states = body.states.size();
    if (part >= states) {
      return {body.outputs[part - states], flat, frame_of(cell.frame, cell.node, place),
              cell.state};
    }
    if (body.count == 0 || place == body.before(body.backwards ? body.count - 1 : 0))
      return {node(cell).inputs[part], flat, cell.frame, cell.state};
    const std::size_t t = body.backwards ? place : place - 1;
    return {body.next[part], flat, frame_of(cell.frame, cell.node, t), cell.state};
  }

  Cell outside_of_step(Cell cell, bool& all) {
    const Frame& frame = frames_[cell.frame];
    const Node& scan = (*frames_[frame.around].graph)[frame.scan];
    const ScanBody& body = steps_of(frame.around, frame.scan);
    const auto place = [&](const std::vector<NodeId>& list) {
      return static_cast<std::size_t>(std::find(list.begin(), list.end(), cell.node) -
                                      list.begin());
    };
    const std::size_t size = element_count(node(cell).shape);
    const std::size_t k = place(body.states);
    all = k < body.states.size();
    if (all)
      return {scan.id, body.parts[k].offset + body.before(frame.t) * size + cell.flat, frame.around,
              true};
    if (const std::size_t r = place(body.rows); r < body.rows.size()) {
      const NodeId rows = scan.inputs[body.states.size() + r];
      return {rows, frame.t * size + cell.flat, frame.around, cell.state};
    }
    return {*captured_by(scan, cell.node), cell.flat, frame.around, cell.state};
  }

  // A named cell of a step as the cell of the tensor that holds all steps, if there is one.
  [[nodiscard]] std::optional<Cell> lifted(Cell cell) {
    while (cell.frame != 0) {
      const Frame& frame = frames_[cell.frame];
      const Graph& around = *frames_[frame.around].graph;
      const std::size_t size = element_count(node(cell).shape);
      const HandedOut& named = handed_out_of(around);
      const auto found = named.find({frame.graph, cell.node});
      if (found == named.end()) return std::nullopt;
      cell = {found->second, frame.t * size + cell.flat, frame.around};
    }
    return cell;
  }

  // By a step's graph and a node in it: the named node of the graph around that has it for all steps.
  using HandedOut = std::map<std::pair<const Graph*, NodeId>, NodeId>;

  // Found once for a graph: an explanation meets a great many cells of its steps.
  const HandedOut& handed_out_of(const Graph& around) {
    const auto [known, fresh] = handed_out_.try_emplace(&around);
    if (!fresh) return known->second;
    for (NodeId id = 0; id < around.size(); ++id) {
      const Shape& shape = around[id].shape;
      const auto behind =
          around[id].name.empty() || shape.empty() ? std::nullopt : step_behind(around, id);
      if (!behind) continue;
      const Graph& step = *behind->body->graph;
      const Shape& own = step[behind->inner].shape;
      if (std::equal(own.begin(), own.end(), shape.begin() + 1, shape.end()))
        known->second.try_emplace({&step, behind->inner}, id);
    }
    return known->second;
  }

  // What a softmax sees of a cell before its row was moved as a whole.
  [[nodiscard]] double unmoved(Cell cell) const {
    const Node& node = this->node(cell);
    if (const auto before = before_shift(graph(cell), cell.node))
      return unmoved({*before, cell.flat, cell.frame});
    if (!scales_row(graph(cell), cell.node)) return value(cell);
    const Shape& scale = graph(cell)[node.inputs[1]].shape;
    return unmoved({node.inputs[0], cell.flat, cell.frame}) /
           value({node.inputs[1], broadcast_position(cell.flat, scale, node.shape), cell.frame});
  }

  Text written(Cell cell, int depth, Budget& budget, bool in_softmax) {
    const Node& node = this->node(cell);
    const bool row = node.primitive == &primitives::softmax ||
                     (in_softmax && scales_row(graph(cell), cell.node));
    const auto operand = [&](Cell c) -> Text {
      const bool seen = row && c.frame == cell.frame && c.node == node.inputs[0];
      while (seen) {
        const auto before = before_shift(graph(c), c.node);
        if (!before) break;
        c = resolved({*before, c.flat, c.frame});
      }
      if (budget.left > 0) --budget.left;
      if (is_shown_by_number(c)) return number_text(value(c));
      const bool constant = this->node(c).inputs.empty();
      if (!constant && (depth >= budget.depth || budget.left == 0)) {
        budget.cut = true;
        return number_text(value(c));
      }
      return written(c, depth + 1, budget, seen);
    };
    return print(cell, operand, [](Cell) {});
  }

  const Values& values_;
  std::deque<Frame> frames_;  // the graph itself, and the steps looked into
  std::map<const Graph*, HandedOut> handed_out_;
  std::map<std::pair<std::size_t, NodeId>, AllSteps> all_;
};

}  // namespace

Explanation explain(const Graph& graph, const Values& values, NodeId node, std::size_t flat) {
  if (node >= graph.size() || flat >= element_count(graph[node].shape)) {
    refuse("there is no cell " + std::to_string(flat) + " in step " + std::to_string(node));
  }
  Explainer explainer(graph, values);
  const Cell cell = explainer.origin({node, flat});
  return {explainer.value({node, flat}), explainer.formula(cell), explainer.numbers(cell),
          explainer.feeds(cell),         explainer.terms(cell),   explainer.cut(cell)};
}

}  // namespace attend
