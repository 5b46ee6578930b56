// SPDX-License-Identifier: Apache-2.0
#include "ops/formula.h"

#include "ops/primitives/records.h"
#include "ops/shift.h"
#include "ops/text.h"

namespace attend {
namespace {

// Writes one node out to a given depth; deeper nameless operands are dots.
class Writer {
 public:
  Writer(const Graph& graph, int depth, std::size_t limit)
      : graph_(graph), depth_(depth), limit_(limit) {}

  // `in_softmax`: the node is what a softmax sees, where a shift of the whole row is nothing.
  Text node(NodeId id, int depth, bool in_softmax = false) {
    const Node& node = graph_[id];
    Expression expression{node, {}, {}};
    bool first = node.primitive == &primitives::softmax || (in_softmax && scales_row(graph_, id));
    for (const NodeId input : node.inputs) {
      expression.in.push_back(operand(input, depth, first));
      first = false;
      expression.in_shapes.push_back(&graph_[input].shape);
    }
    Text text = node.primitive->latex(expression);
    written_ += text.text.size();
    return text;
  }

  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] bool too_long() const { return written_ > 16 * limit_; }

 private:
  Text operand(NodeId id, int depth, bool in_softmax) {
    if (const auto unmoved = in_softmax ? before_shift(graph_, id) : std::nullopt)
      return operand(*unmoved, depth, true);
    const Node& node = graph_[id];
    if (!node.name.empty()) return name_text(node.name);
    if (node.primitive == nullptr) return {"\\square"};
    if (!node.inputs.empty() && (depth >= depth_ || too_long())) {
      cut_ = true;
      return {"\\cdots"};
    }
    return this->node(id, depth + 1, in_softmax);
  }

  const Graph& graph_;
  int depth_;
  std::size_t limit_;
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

std::string formula_of(const Graph& graph, NodeId node, std::size_t limit) {
  if (graph[node].primitive == nullptr) return graph[node].name;
  std::string best;
  for (int depth = 0; depth < 32; ++depth) {
    Writer writer(graph, depth, limit);
    std::string text = writer.node(node, 0).text;
    const bool fits = text.size() <= limit && !writer.too_long();
    if (fits || depth == 0) best = std::move(text);
    if (!fits || !writer.cut()) break;
  }
  return best;
}

}  // namespace attend
