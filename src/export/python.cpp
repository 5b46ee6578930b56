// SPDX-License-Identifier: Apache-2.0
// A script in PyTorch or NumPy from a recorded graph.
#include "export/helpers.h"
#include "export/lines.h"
#include "export/literal.h"
#include "export/names.h"
#include "export/needed.h"
#include "export/plain_formula.h"
#include "export/plain_text.h"
#include "export/program.h"
#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

constexpr std::size_t line_width = 96;

class Script {
 public:
  Script(const Listing& program, bool torch)
      : p_(program),
        torch_(torch),
        uses_(uses_of(program)),
        lines_(program.graph, uses_, names_, torch, "    ") {
    for (const Listing::Result& result : p_.results) lines_.call(result.node, result.name);
  }

  std::string print() {
    const std::string data = leaves();
    const std::string function = definition();
    std::string text = p_.title.empty() ? "" : "# " + one_line(p_.title) + "\n";
    for (const std::string& line : plain_formula(p_.formula))
      text += "#   " + one_line(line) + "\n";
    if (!p_.source.empty()) text += "# " + one_line(p_.source) + "\n";
    text += "import json\n";
    const std::string helpers = helpers_for(function, torch_);
    if (helpers.find("math.") != std::string::npos) text += "import math\n";
    text += "import sys\n";
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
      const std::string name = names_.unique_name(leaf.name);
      arguments_.push_back(name);
      lines_.know(leaf.node, {name});
      std::string& text = leaf.input ? inputs : parameters;
      text += name + " = " + (torch_ ? "torch.tensor(" : "np.array(") +
              python_list(leaf.values, node.shape, leaf.words) + ", dtype=x_type)  # " +
              one_line(leaf.dotted()) + " " + to_text(node.shape) + "\n";
    }
    if (!inputs.empty()) inputs = "# Inputs: one token per row.\n" + inputs + "\n";
    if (!parameters.empty()) {
      parameters = std::string("# Parameters") +
                   (torch_ ? "; call .requires_grad_() on one to learn it.\n" : ".\n") +
                   parameters + "\n";
    }
    return inputs + parameters;
  }

  std::string definition() {
    const std::string body = lines_.print();
    std::string text = call("def attention") + ":\n" + checks() + body + "    return {\n";
    for (const Listing::Result& result : p_.results) {
      text += "        \"" + result.name + "\": " + lines_.text(result.node).text + ",\n";
    }
    return text + "    }\n";
  }

  // Lines that refuse inputs of other sizes where the body would answer wrongly.
  [[nodiscard]] std::string checks() const {
    std::string text;
    if (!holds_sizes(p_.graph, uses_)) return text;
    for (const Listing::Leaf& leaf : p_.leaves) {
      const bool of_tokens = leaf.input || !leaf.words.empty();
      if (!of_tokens || uses_[leaf.node] < 0) continue;
      text += "    expect_shape(" + lines_.text(leaf.node).text;
      for (const std::size_t extent : p_.graph[leaf.node].shape)
        text += ", " + std::to_string(extent);
      text += ")\n";
    }
    return text;
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

  // A terminal gets rows that can be read, a program gets JSON.
  [[nodiscard]] std::string main_block() const {
    const std::string value = torch_ ? "value.detach()" : "value";
    return "if __name__ == \"__main__\":\n    results = " + call("attention") +
           "\n    if sys.stdout.isatty():\n        for name, value in results.items():\n"
           "            print(name, list(value.shape), " +
           value + (torch_ ? ".numpy()" : "") +
           ", \"\", sep=\"\\n\")\n    else:\n        print(json.dumps({\n"
           "            name: {\"shape\": list(value.shape), \"data\": " +
           value +
           ".reshape(-1).tolist()}\n            for name, value in results.items()\n"
           "        }))\n";
  }

  const Listing& p_;
  bool torch_;
  std::vector<long> uses_;
  Identifiers names_;
  Lines lines_;
  std::vector<std::string> arguments_;
};

}  // namespace

std::string to_python(const Listing& program, bool torch) { return Script(program, torch).print(); }

}  // namespace attend
