// SPDX-License-Identifier: Apache-2.0
#include "ops/explain.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ops/broadcast_loop.h"
#include "ops/error.h"
#include "ops/formula.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"
#include "ops/shift.h"
#include "ops/text.h"

namespace attend {
namespace {

constexpr std::size_t longest_text = 1000;     // characters: what a reader may still follow
constexpr int deepest = 24;                    // levels of nameless operands
constexpr std::size_t most_operands = 20'000;  // written for one text
constexpr std::size_t most_reads = 300'000;    // followed for the feeds

struct Cell {
  NodeId node;
  std::size_t flat;
  bool operator<(const Cell& other) const {
    return node != other.node ? node < other.node : flat < other.flat;
  }
};

class Explainer {
 public:
  Explainer(const Graph& graph, const Values& values) : graph_(graph), values_(values) {}

  [[nodiscard]] double value(Cell cell) const {
    if (cell.node >= values_.size() || cell.flat >= values_[cell.node].size()) {
      refuse("there is no value for cell " + std::to_string(cell.flat) + " of step " +
             std::to_string(cell.node));
    }
    return static_cast<double>(values_[cell.node][cell.flat]);
  }

  // Prints a cell's computation; `operand` is told which cell of which node it stands for.
  template <class Operand, class Read>
  Text print(Cell cell, Operand operand, Read read) const {
    const Node& node = graph_[cell.node];
    CellQuery query{node, {}, cell.flat, {}, {}};
    for (const NodeId input : node.inputs) query.in_shapes.push_back(&graph_[input].shape);
    query.operand = [&](std::size_t k, std::size_t flat) {
      return operand({node.inputs[k], flat});
    };
    query.value = [&](std::size_t k, std::size_t flat) {
      read({node.inputs[k], flat});
      return value({node.inputs[k], flat});
    };
    return node.primitive->cell(query);
  }

  // Follows copies to the cell that was really computed: a printer that gives back its one operand
  // copies it.
  [[nodiscard]] Cell origin(Cell cell) const {
    while (graph_[cell.node].primitive != nullptr && !graph_[cell.node].inputs.empty()) {
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

  // The computation with numbers, written out as deep as the length allows.
  [[nodiscard]] std::string numbers(Cell cell) const {
    if (graph_[cell.node].primitive == nullptr) return number_latex(value(cell));
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
  [[nodiscard]] std::vector<Feed> feeds(Cell cell) const {
    std::map<NodeId, std::set<std::size_t>> found;
    if (graph_[cell.node].primitive == nullptr) return {{cell.node, {cell.flat}}};
    std::set<Cell> seen;
    std::size_t reads = 0;
    std::vector<Cell> open{cell};
    const auto note = [&](Cell c) {
      if (is_shown_by_number(c.node)) found[c.node].insert(c.flat);
    };
    while (!open.empty() && reads < most_reads) {
      const Cell next = open.back();
      open.pop_back();
      const auto meet = [&](Cell c) {
        note(c);
        if (++reads < most_reads && !is_shown_by_number(c.node) && seen.insert(c).second) {
          open.push_back(c);
        }
        return Text{"?"};
      };
      (void)print(next, meet, note);
    }
    std::vector<Feed> list;
    for (const auto& [node, cells] : found) list.push_back({node, {cells.begin(), cells.end()}});
    return list;
  }

  [[nodiscard]] std::vector<Term> terms(Cell cell) const {
    const Node& node = graph_[cell.node];
    if (node.primitive != &primitives::softmax) return {};
    const std::size_t cols = node.shape.back(), start = cell.flat / cols * cols;
    std::vector<Term> list;
    std::vector<double> scores;
    for (std::size_t j = start; j < start + cols; ++j) {
      if (node.inputs.size() == 2) {
        const Shape& mask = graph_[node.inputs[1]].shape;
        if (value({node.inputs[1], broadcast_position(j, mask, node.shape)}) == 0) continue;
      }
      scores.push_back(unmoved({node.inputs[0], j}));
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
    const Node& node = graph_[cell.node];
    if (node.primitive != &primitives::entmax) return {};
    const std::size_t cols = node.shape.back(), start = cell.flat / cols * cols;
    const Shape& of_r = graph_[node.inputs[1]].shape;
    const double r = value({node.inputs[1], broadcast_position(start, of_r, node.shape)});
    if (r == 0) return {};
    Cut found{0, 1 / r, {}};
    double top = 0, most = -1;
    for (std::size_t j = start; j < start + cols; ++j) {
      const bool masked = node.inputs.size() == 3;
      if (masked && value({node.inputs[2],
                           broadcast_position(j, graph_[node.inputs[2]].shape, node.shape)}) == 0)
        continue;
      const double bar = r * value({node.inputs[0], j}), weight = value({cell.node, j});
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

  [[nodiscard]] bool is_shown_by_number(NodeId id) const {
    return !graph_[id].name.empty() || graph_[id].primitive == nullptr;
  }

  // What a softmax sees of a cell before its row was moved as a whole.
  [[nodiscard]] double unmoved(Cell cell) const {
    const Node& node = graph_[cell.node];
    if (const auto before = before_shift(graph_, cell.node)) return unmoved({*before, cell.flat});
    if (!scales_row(graph_, cell.node)) return value(cell);
    const Shape& scale = graph_[node.inputs[1]].shape;
    return unmoved({node.inputs[0], cell.flat}) /
           value({node.inputs[1], broadcast_position(cell.flat, scale, node.shape)});
  }

  Text written(Cell cell, int depth, Budget& budget, bool in_softmax) const {
    const Node& node = graph_[cell.node];
    const bool row =
        node.primitive == &primitives::softmax || (in_softmax && scales_row(graph_, cell.node));
    const auto operand = [&](Cell c) -> Text {
      const bool seen = row && c.node == node.inputs[0];
      while (seen) {
        const auto before = before_shift(graph_, c.node);
        if (!before) break;
        c.node = *before;
      }
      if (budget.left > 0) --budget.left;
      if (is_shown_by_number(c.node)) return number_text(value(c));
      const bool constant = graph_[c.node].inputs.empty();
      if (!constant && (depth >= budget.depth || budget.left == 0)) {
        budget.cut = true;
        return number_text(value(c));
      }
      return written(c, depth + 1, budget, seen);
    };
    return print(cell, operand, [](Cell) {});
  }

  const Graph& graph_;
  const Values& values_;
};

}  // namespace

std::vector<NodeId> explained_from(const Graph& graph, NodeId node) {
  // Looks through every nameless node, and through named ones that may be passed on.
  std::set<NodeId> needed{node};
  std::vector<NodeId> open{node};
  const auto passes_on = [&](NodeId id) {
    using namespace primitives;
    const Primitive* p = graph[id].primitive;
    return p == &reshape || p == &broadcast_to || p == &permute || p == &slice || p == &concat ||
           p == &where || p == &take || p == &put || p == &sum || p == &cumsum;
  };
  std::set<NodeId> passed{node};  // what `node` may be a copy of
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const bool copy = passed.contains(id) && passes_on(id);
    for (const NodeId input : graph[id].inputs) {
      const bool follow = copy ? passed.insert(input).second : false;
      const bool fresh = needed.insert(input).second;
      if (follow || (fresh && graph[input].name.empty())) open.push_back(input);
    }
  }
  return {needed.begin(), needed.end()};
}

Explanation explain(const Graph& graph, const Values& values, NodeId node, std::size_t flat) {
  if (node >= graph.size() || flat >= element_count(graph[node].shape)) {
    refuse("there is no cell " + std::to_string(flat) + " in step " + std::to_string(node));
  }
  const Explainer explainer(graph, values);
  const Cell cell = explainer.origin({node, flat});
  return {explainer.value({node, flat}), formula_of(graph, cell.node), explainer.numbers(cell),
          explainer.feeds(cell),         explainer.terms(cell),        explainer.cut(cell)};
}

}  // namespace attend
