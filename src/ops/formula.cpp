// SPDX-License-Identifier: Apache-2.0
#include "ops/formula.h"

#include <optional>
#include <string>
#include <vector>

#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/shift.h"
#include "ops/text.h"

namespace attend {
namespace {

// Writes one node out to a given depth; deeper nameless operands are dots. What a scan hands out is
// written as its step says it.
class Writer {
 public:
  Writer(const Graph& graph, std::vector<Around> around, int depth, std::size_t limit,
         const NodeMarks& marks)
      : graph_(&graph), around_(std::move(around)), depth_(depth), limit_(limit), marks_(marks) {}

  // `in_softmax`: the node is what a softmax sees, where a shift of the whole row is nothing.
  Text node(NodeId id, int depth, bool in_softmax = false) {
    if (const auto step = step_behind(*graph_, id))
      return inside(*step, [&] { return leads_on(step->inner, depth, in_softmax); });
    const Node& node = (*graph_)[id];
    if (const auto heads = joined_heads(id)) return concatenation(*heads, depth);
    Expression expression{node, {}, {}};
    bool first = node.primitive == &primitives::softmax || (in_softmax && scales_row(*graph_, id));
    for (const NodeId input : node.inputs) {
      expression.in.push_back(operand(input, depth, first));
      first = false;
      expression.in_shapes.push_back(&(*graph_)[input].shape);
    }
    Text text = node.primitive->latex(expression);
    written_ += text.text.size();
    return text;
  }

  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] bool too_long() const { return written_ > 16 * limit_; }

 private:
  Text operand(NodeId id, int depth, bool in_softmax) {
    if (const auto unmoved = in_softmax ? before_shift(*graph_, id) : std::nullopt)
      return operand(*unmoved, depth, true);
    const Node& node = (*graph_)[id];
    if (!node.name.empty()) return name_text(marked_name(node, marks_));
    if (node.primitive == nullptr) return captured(id, depth, in_softmax);
    if (const auto step = step_behind(*graph_, id))
      return inside(*step, [&] { return operand(step->inner, depth, in_softmax); });
    if (!node.inputs.empty() && (depth >= depth_ || too_long())) {
      cut_ = true;
      return {"\\cdots"};
    }
    return this->node(id, depth + 1, in_softmax);
  }

  // C [h m d] where the node is [m h d] of it, written as [m h*d]: heads side by side.
  [[nodiscard]] std::optional<NodeId> joined_heads(NodeId id) const {
    const Node& node = (*graph_)[id];
    if (node.primitive != &primitives::reshape || node.shape.size() != 2) return std::nullopt;
    const Node& turned = (*graph_)[node.inputs[0]];
    if (turned.primitive != &primitives::permute || !turned.name.empty() ||
        turned.attributes.integers != std::vector<long>{1, 0, 2} ||
        turned.shape[0] != node.shape[0])
      return std::nullopt;
    return turned.inputs[0];
  }

  Text concatenation(NodeId heads, int depth) {
    const std::size_t count = (*graph_)[heads].shape[0];
    const Text one = operand(heads, depth, false);
    std::vector<Text> terms;
    for (std::size_t head = 1; head <= count; ++head) {
      const bool left_out = count > 3 && head > 1 && head < count;
      if (left_out && head == 2) terms.push_back({"\\cdots"});
      if (!left_out) terms.push_back({lowered(one, std::to_string(head))});
    }
    return latex_call("\\operatorname{Concat}", terms);
  }

  // A step's result that is a leaf of the step says its name.
  Text leads_on(NodeId id, int depth, bool in_softmax) {
    return (*graph_)[id].primitive == nullptr ? operand(id, depth, in_softmax)
                                              : node(id, depth, in_softmax);
  }

  template <class Write>
  Text inside(const StepNode& step, Write write) {
    around_.push_back({graph_, step.scan});
    graph_ = step.body->graph.get();
    Text text = write();
    graph_ = around_.back().graph;
    around_.pop_back();
    return text;
  }

  // A nameless leaf of a step is what the step reads from outside.
  Text captured(NodeId id, int depth, bool in_softmax) {
    if (around_.empty()) return {"\\square"};
    const Graph* inner = graph_;
    const Around at = around_.back();
    const auto outer = captured_by((*at.graph)[at.scan], id);
    if (!outer) return {"\\square"};
    graph_ = at.graph;
    around_.pop_back();
    Text text = operand(*outer, depth, in_softmax);
    graph_ = inner;
    around_.push_back(at);
    return text;
  }

  const Graph* graph_;
  std::vector<Around> around_;  // the scans in whose steps we are, the outermost first
  int depth_;
  std::size_t limit_;
  const NodeMarks& marks_;
  std::size_t written_ = 0;  // over all levels: a bound on the work
  bool cut_ = false;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether the space at `at` only ends a command, as in "\bar a".
bool ends_command(std::string_view name, std::size_t at) {
  std::size_t start = at;
  while (start > 0 && is_letter(name[start - 1])) --start;
  return start > 0 && start < at && name[start - 1] == '\\';
}

}  // namespace

std::string marked_name(const Node& node, const NodeMarks& marks) {
  const auto known = marks.find(&node);
  if (known == marks.end()) return node.name;
  // A mark says which module it is; the name of a module's part, "Q\\;(\\text{attention})", need not say it again.
  const std::size_t part = node.name.rfind("\\;(\\text{");
  const bool said = part != std::string::npos && part > 0 && node.name.ends_with("})") &&
                    known->second.find(node.name.substr(part + 9, node.name.size() - part - 10)) !=
                        std::string::npos;
  return raised(name_text(said ? node.name.substr(0, part) : node.name), known->second);
}

Text name_text(std::string_view name) {
  int depth = 0, binding = Text::atom;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '{' || c == '(' || c == '[') ++depth;
    if (c == '}' || c == ')' || c == ']') --depth;
    if (depth != 0) continue;
    const std::string_view rest = name.substr(i);
    if (rest.starts_with(" + ") || rest.starts_with(" - ")) binding = Text::sum;
    const bool applied = rest.starts_with("\\sum") || rest.starts_with("\\max");
    const bool gap = c == ' ' && !ends_command(name, i) && (i == 0 || name[i - 1] != '\\');
    if (c == '/' || gap || applied) binding = std::min(binding, Text::product);
  }
  return {std::string(name), binding};
}

std::string formula_of(const Graph& graph, NodeId node, std::size_t limit,
                       const std::vector<Around>& around, const NodeMarks& marks) {
  if (graph[node].primitive == nullptr) return graph[node].name;
  std::string best;
  for (int depth = 0; depth < 32; ++depth) {
    Writer writer(graph, around, depth, limit, marks);
    std::string text = writer.node(node, 0).text;
    const bool fits = text.size() <= limit && !writer.too_long();
    if (fits || depth == 0) best = std::move(text);
    if (!fits || !writer.cut()) break;
  }
  return best;
}

}  // namespace attend
