// SPDX-License-Identifier: Apache-2.0
// A script in PyTorch or NumPy from a recorded graph.
#include <map>

#include "export/helpers.h"
#include "export/literal.h"
#include "export/names.h"
#include "export/needed.h"
#include "export/program.h"
#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/text.h"

namespace attend {
namespace {

constexpr std::size_t longest_inline = 48;  // a nameless operand longer than this gets a line
constexpr std::size_t longest_repeat = 30;  // so does one that is written twice
constexpr std::size_t line_width = 96;

std::string one_line(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return text;
}

// A word for a nameless result of a primitive.
std::string noun_of(const Primitive& primitive) {
  return std::string(primitive.noun.empty() ? primitive.name : primitive.noun);
}

class Script {
 public:
  Script(const Listing& program, bool torch) : p_(program), torch_(torch), uses_(uses_of(program)) {
    for (const Listing::Result& result : p_.results)
      result_names_.emplace(result.node, result.name);
  }

  std::string print() {
    const std::string data = leaves();
    const std::string function = definition();
    std::string text = "# " + one_line(p_.title) + "\n";
    if (!p_.formula.empty()) text += "#   " + one_line(p_.formula) + "\n";
    if (!p_.source.empty()) text += "# " + one_line(p_.source) + "\n";
    text += "import json\n";
    const std::string helpers = helpers_for(function, torch_);
    if (helpers.find("math.") != std::string::npos) text += "import math\n";
    text += torch_ ? "\nimport torch\n" : "\nimport numpy as np\n";
    const std::string module = torch_ ? "torch" : "np";
    text += "\nx_type = " + module + ".float64  # or " + module + ".float32\n\n\n";
    return text + helpers + function + "\n\n" + data + main_block();
  }

 private:
  std::string leaves() {
    std::string inputs, parameters;
    for (const Listing::Leaf& leaf : p_.leaves) {
      if (uses_[leaf.node] < 0) continue;
      const Node& node = p_.graph[leaf.node];
      const bool prefixed = leaf.input && leaf.name.starts_with("inputs.");
      const std::string name = names_.unique(prefixed ? leaf.name.substr(7) : leaf.name);
      arguments_.push_back(name);
      texts_[leaf.node] = {name};
      std::string& text = leaf.input ? inputs : parameters;
      text += name + " = " + (torch_ ? "torch.tensor(" : "np.array(") +
              python_list(leaf.values, node.shape) + ", dtype=x_type)  # " + one_line(leaf.name) +
              " " + to_text(node.shape) + "\n";
    }
    if (!inputs.empty()) inputs = "# Inputs: one token a row.\n" + inputs + "\n";
    if (!parameters.empty()) {
      parameters = std::string("# Parameters") +
                   (torch_ ? "; call .requires_grad_() on one to learn it.\n" : ".\n") +
                   parameters + "\n";
    }
    return inputs + parameters;
  }

  std::string definition() {
    std::string body;
    for (NodeId id = 0; id < p_.graph.size(); ++id) {
      if (uses_[id] >= 0) body += step(id);
    }
    std::string text = call("def attention") + ":\n" + body + "    return {\n";
    for (const Listing::Result& result : p_.results) {
      text += "        \"" + result.name + "\": " + texts_.at(result.node).text + ",\n";
    }
    return text + "    }\n";
  }

  // The line of a node that gets one, else nothing: its text goes where it is read.
  std::string step(NodeId id) {
    const Node& node = p_.graph[id];
    if (node.primitive == nullptr) {
      if (texts_.contains(id)) return "";
      refuse("the step \"" + node.name + "\" has no numbers to export");
    }
    Expression expression{node, {}, {}, torch_};
    for (const NodeId input : node.inputs) {
      expression.in.push_back(texts_.at(input));
      expression.in_shapes.push_back(&p_.graph[input].shape);
    }
    Text text = node.primitive->python(expression);
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
    const std::string name =
        names_.unique(!node.name.empty()              ? node.name
                      : result != result_names_.end() ? result->second
                                                      : noun_of(*node.primitive));
    texts_[id] = {name};
    return "    " + name + " = " + text.text + "  # " + to_text(node.shape) + "\n";
  }

  // "name(a, b, ...)", broken into lines that fit.
  [[nodiscard]] std::string call(const std::string& name) const {
    std::string text = name + "(", line;
    bool broken = false;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const std::string next = arguments_[i] + (i + 1 < arguments_.size() ? ", " : "");
      if (line.size() + next.size() + (broken ? 8 : text.size()) > line_width) {
        while (!line.empty() && line.back() == ' ') line.pop_back();
        text += line + "\n        ";
        line.clear();
        broken = true;
      }
      line += next;
    }
    return text + line + ")";
  }

  [[nodiscard]] std::string main_block() const {
    return "if __name__ == \"__main__\":\n    results = " + call("attention") +
           "\n    print(json.dumps({\n        name: {\"shape\": list(value.shape), \"data\": "
           "value" +
           (torch_ ? ".detach()" : "") +
           ".reshape(-1).tolist()}\n        for name, value in results.items()\n    }))\n";
  }

  const Listing& p_;
  bool torch_;
  std::vector<long> uses_;
  Identifiers names_;
  std::map<NodeId, Text> texts_;
  std::map<NodeId, std::string> result_names_;
  std::vector<std::string> arguments_;
};

}  // namespace

std::string to_python(const Listing& program, bool torch) { return Script(program, torch).print(); }

}  // namespace attend
