// SPDX-License-Identifier: Apache-2.0
// The named steps as aligned equations.
#include <utility>

#include "export/needed.h"
#include "export/plain_text.h"
#include "export/program.h"
#include "export/symbols.h"
#include "ops/formula.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/text.h"

namespace attend {
namespace {

// "\mathbb{R}^{3 \times 4}".
std::string space_of(const Shape& shape) {
  std::string extents;
  for (const std::size_t extent : shape)
    extents += (extents.empty() ? "" : " \\times ") + std::to_string(extent);
  return extents.empty() ? "\\mathbb{R}" : "\\mathbb{R}^{" + extents + "}";
}

// A dotted name inside \text{}.
std::string text_of(const std::string& name) { return "\\text{" + latex_escaped(name) + "}"; }

// Whether an equation says nothing: its left side spells what its right side writes with more brackets and spaces, as
// in "Q K^{\top} = Q\, K^{\top}".
bool is_identity(const std::string& left, const std::string& right) {
  const auto plain = [](std::string text) {
    for (const std::string_view layout : {"\\left", "\\right", "\\,", " ", "{", "}"}) {
      for (std::size_t at = text.find(layout); at != std::string::npos; at = text.find(layout, at))
        text.erase(at, layout.size());
    }
    return text;
  };
  return plain(left) == plain(right);
}

// The named steps of a scan that are no results of it, which stand among the other steps: one line
// each, of all times.
void add_steps(std::vector<std::string>& lines, const NodeMarks& marks, const Graph& graph,
               NodeId scan, std::vector<Around> around, const Shape& front) {
  const ScanBody& body = *graph[scan].attributes.body;
  around.push_back({&graph, scan});
  Shape times = front;
  times.push_back(body.count);
  std::vector<NodeId> order = body.plan.once;
  order.insert(order.end(), body.plan.each.begin(), body.plan.each.end());
  for (const NodeId id : order) {
    const Node& node = (*body.graph)[id];
    if (node.primitive == &primitives::scan)
      add_steps(lines, marks, *body.graph, id, around, times);
    if (node.name.empty()) continue;
    Shape shape = times;
    shape.insert(shape.end(), node.shape.begin(), node.shape.end());
    const std::string left = marked_name(node, marks);
    const std::string right = formula_of(*body.graph, id, 2000, around, marks);
    if (is_identity(left, right)) continue;
    lines.push_back(left + " &= " + right + " && \\in " + space_of(shape));
  }
}

// A result of a scan is written as the step's name, of its last step or of all; the formula is written with the scan.
// Empty if the result has that name itself.
std::string right_side(const Graph& graph, NodeId id, const NodeMarks& marks,
                       const std::string& left) {
  if (const auto step = step_behind(graph, id)) {
    const std::string name = marked_name((*step->body->graph)[step->inner], marks);
    if (name == left) return "";
    if (!name.empty())
      return step->last ? name + "\\ (\\text{last step})" : "\\left(" + name + "\\right)_{t}";
  }
  return formula_of(graph, id, 2000, {}, marks);
}

// A comment, where there is something to say.
std::string latex_comment(const std::string& text) {
  return text.empty() ? "" : "% " + one_line(text) + "\n";
}

}  // namespace

std::string to_latex(const Listing& program) {
  const std::vector<long> uses = uses_of(program);
  const NodeMarks marks = distinct_symbols(program);
  std::vector<std::string> lines;
  for (const Listing::Leaf& leaf : program.leaves) {
    const Node& node = program.graph[leaf.node];
    if (uses[leaf.node] < 0) continue;
    const bool changes = leaf.name.starts_with("interventions.") && leaf.values.size() == 1;
    lines.push_back(
        marked_name(node, marks) +
        (changes ? " &= " + number_latex(leaf.values.front()) + " && \\in " : " &\\in ") +
        space_of(node.shape) + (changes ? "\\quad " : " && ") + text_of(leaf.dotted()));
  }
  for (NodeId id = 0; id < program.graph.size(); ++id) {
    const Node& node = program.graph[id];
    if (uses[id] < 0 || node.primitive == nullptr) continue;
    if (node.primitive == &primitives::scan) add_steps(lines, marks, program.graph, id, {}, {});
    const auto step = step_behind(program.graph, id);
    if (step && !node.name.empty() && (*step->body->graph)[step->inner].name == node.name)
      continue;  // listed with the scan
    std::string results;
    for (const Listing::Result& result : program.results) {
      if (result.node == id) results += (results.empty() ? "" : ",\\ ") + text_of(result.name);
    }
    if (node.name.empty() && results.empty()) continue;
    std::string left = node.name.empty() ? results : marked_name(node, marks);
    std::string right = right_side(program.graph, id, marks, left);
    if (right.empty()) continue;
    const bool identity = is_identity(left, right);
    if (identity && results.empty()) continue;
    if (identity) right = std::exchange(left, results);  // the result is called what its formula is
    lines.push_back(left + " &= " + right + " && \\in " + space_of(node.shape) +
                    (results.empty() || left == results ? "" : "\\quad " + results));
  }
  std::string text = latex_comment(program.title) + latex_comment(program.source) +
                     "% needs amsmath and amssymb\n\\begin{align*}\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "  " + lines[i] + (i + 1 < lines.size() ? " \\\\\n" : "\n");
  }
  return text + "\\end{align*}\n";
}

}  // namespace attend
