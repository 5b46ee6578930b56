// SPDX-License-Identifier: Apache-2.0
#include "export/lines.h"

#include <algorithm>

#include "export/needed.h"
#include "export/plain_text.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/text.h"

namespace attend {
namespace {

constexpr std::size_t longest_inline = 48;  // a nameless operand longer than this gets a line
constexpr std::size_t longest_repeat = 30;  // so does one that is written twice

// A word for a nameless result of a primitive.
std::string noun_of(const Primitive& primitive) {
  return std::string(primitive.noun.empty() ? primitive.name : primitive.noun);
}

// "h_{t-1}", the state before a step, is h in the loop.
std::string state_symbol(const std::string& name) {
  constexpr std::string_view before = "_{t-1}";
  return name.ends_with(before) ? name.substr(0, name.size() - before.size()) : name;
}

// The part of a scan's flat result that begins where a slice of it begins. Only offsets are read: in a graph with
// sizes as expressions the shapes are no numbers.
std::size_t part_at(const ScanBody& body, long start) {
  std::size_t part = 0;
  while (part + 1 < body.parts.size() &&
         body.parts[part + 1].offset <= static_cast<std::size_t>(start))
    ++part;
  return part;
}

}  // namespace

std::string condition_of(const std::string& text) {
  if (!text.starts_with("real(")) return "";
  int depth = 0;
  for (std::size_t i = 4; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1 == text.size() ? text.substr(5, i - 5) : "";
  }
  return "";
}

namespace {}  // namespace

std::string Lines::print() {
  std::string body;
  for (NodeId id = 0; id < graph_.size(); ++id) body += line(id);
  return body;
}

std::string Lines::line(NodeId id) {
  return uses_[id] >= 0 && !texts_.contains(id) ? step(id) : "";
}

// The line of a node that gets one, else nothing: its text goes where it is read.
std::string Lines::step(NodeId id) {
  const Node& node = graph_[id];
  if (node.primitive == nullptr) refuse("the step \"" + node.name + "\" has no numbers to export");
  if (node.primitive == &primitives::scan) return loop(node);
  if (is_made_by_loop(node)) return "";
  Expression expression{node, {}, {}, torch_};
  for (const NodeId input : node.inputs) {
    expression.in.push_back(texts_.at(input));
    expression.in_shapes.push_back(&graph_[input].shape);
  }
  std::optional<Text> own = instead ? instead(expression) : std::nullopt;
  if (!own && everywhere) own = everywhere(expression);
  Text text = own ? *own : node.primitive->python(expression);
  // A second name for what has one says nothing new.
  if (is_name(text.text) && text.binding == Text::atom) {
    texts_[id] = std::move(text);
    return "";
  }
  const auto result = result_names_.find(id);
  const bool repeated =
      uses_[id] > 1 && !(node.primitive->view && text.text.size() <= longest_repeat);
  const bool literal = text.binding == Text::literal;
  if (node.name.empty() && result == result_names_.end() &&
      (literal || (!repeated && text.text.size() <= longest_inline))) {
    texts_[id] = std::move(text);
    return "";
  }
  if (literal) text = tensor_operand({node, {text}, {}, torch_}, 0);
  const bool asked = node.name.empty() && result != result_names_.end();
  const std::string name = names_.unique(asked               ? result->second
                                         : naming            ? naming(graph_, id)
                                         : node.name.empty() ? noun_of(*node.primitive)
                                                             : node.name);
  texts_[id] = {name};
  // A nameless comparison stays one of truth values: most of its readers choose by it.
  const std::string condition = node.name.empty() ? condition_of(text.text) : "";
  if (!condition.empty()) texts_[id] = {"real(" + name + ")"};
  return indent_ + name + " = " + (condition.empty() ? text.text : condition) + "  # " +
         to_text(node.shape) + "\n";
}

// The slice of a scan's flat result, and the same in its shape: the loop made the whole of it.
bool Lines::is_made_by_loop(const Node& node) {
  if (node.inputs.size() != 1) return false;
  const Node& input = graph_[node.inputs[0]];
  if (node.primitive == &primitives::slice && input.primitive == &primitives::scan) {
    texts_[node.id] = {parts_.at(input.id)[part_at(*input.attributes.body, node.attributes[1])]};
    return true;
  }
  if (node.primitive != &primitives::reshape || input.primitive != &primitives::slice) return false;
  if (graph_[input.inputs[0]].primitive != &primitives::scan) return false;
  texts_[node.id] = texts_.at(input.id);
  return true;
}

std::vector<bool> Lines::needed_parts(const Node& scan) const {
  const ScanBody& body = *scan.attributes.body;
  std::vector<bool> needed(body.parts.size(), false);
  for (NodeId id = scan.id + 1; id < graph_.size(); ++id) {
    const Node& node = graph_[id];
    if (uses_[id] < 0 || node.primitive != &primitives::slice || node.inputs[0] != scan.id)
      continue;
    needed[part_at(body, node.attributes[1])] = true;
  }
  return needed;
}

std::string Lines::loop(const Node& scan) {
  const ScanBody& body = *scan.attributes.body;
  const Graph& inner = *body.graph;
  const std::size_t states = body.states.size(), rows = body.rows.size();
  const std::vector<bool> needed = needed_parts(scan);
  const auto operand = [&](std::size_t k) {
    return tensor_operand({scan, {texts_.at(scan.inputs[k])}, {}, torch_}, 0);
  };
  std::vector<NodeId> wanted = body.next;
  for (std::size_t k = states; k < body.parts.size(); ++k) {
    if (needed[k]) wanted.push_back(body.outputs[k - states]);
  }
  const std::string inside = indent_ + "    ";
  std::vector<long> uses = uses_of(inner, wanted);
  for (const NodeId id : wanted) ++uses[id];  // what the loop keeps is read there, too
  Lines lines(inner, std::move(uses), names_, torch_, inside);
  lines.naming = naming;
  lines.everywhere = everywhere;
  std::string before, first, carried, kept;
  std::vector<std::string> current, next, stacks;
  const auto stack_of = [&](const std::string& name) {
    stacks.push_back(names_.unique(name + "_all"));
    return stacks.back();
  };
  const std::string t = names_.unique("t");
  for (std::size_t k = 0; k < states; ++k) {
    current.push_back(names_.unique(state_symbol(inner[body.states[k]].name)));
    lines.know(body.states[k], {current[k]});
    before += indent_ + current[k] + " = " + operand(k).text + "  # " +
              to_text(inner[body.states[k]].shape) + "\n";
    if (!needed[k] || !body.keeps) {  // what a state ends with is in its own name
      stacks.push_back(needed[k] ? current[k] : "");
      continue;
    }
    before += indent_ + stack_of(current[k]) + " = [" + current[k] + "]\n";
  }
  for (std::size_t k = 0; k < rows; ++k) {
    const std::string name = names_.unique(inner[body.rows[k]].name);
    if (lines.uses_[body.rows[k]] < 0) continue;
    lines.know(body.rows[k], {name});
    first += inside + name + " = " + operand(states + k).at(Text::atom) + "[" + t + "]  # " +
             to_text(inner[body.rows[k]].shape) + "\n";
  }
  for (std::size_t k = 0; k < body.captured.size(); ++k)
    lines.know(body.captured[k], texts_.at(scan.inputs[states + rows + k]));
  const std::string steps = lines.print();
  for (std::size_t k = states; k < body.parts.size(); ++k) {
    if (!needed[k]) {
      stacks.emplace_back();
      continue;
    }
    const Node& output = inner[body.outputs[k - states]];
    before += indent_ + stack_of(output.name.empty() ? "y" : output.name) + " = []\n";
    kept += inside + stacks[k] + ".append(" + lines.text(output.id).text + ")\n";
  }
  for (const NodeId id : body.next) next.push_back(lines.text(id).text);
  if (states > 0) {
    carried = inside + joined(current) + " = " + joined(next) + "\n";
    for (std::size_t k = 0; k < states; ++k) {
      if (needed[k] && body.keeps) carried += inside + stacks[k] + ".append(" + current[k] + ")\n";
    }
  }
  std::string text = before + indent_ + "for " + t + " in " +
                     (body.backwards ? "reversed(range(" : "range(") + std::to_string(body.count) +
                     (body.backwards ? "))" : ")") + ":\n" + first + steps + kept + carried;
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    if (stacks[k].empty() || (k < states && !body.keeps)) continue;
    text += indent_ + stacks[k] + " = " + (torch_ ? "torch" : "np") + ".stack(" + stacks[k] +
            (body.backwards ? "[::-1])" : ")") + "  # " + to_text(body.parts[k].shape) + "\n";
  }
  parts_[scan.id] = stacks;
  return text;
}

}  // namespace attend
