// SPDX-License-Identifier: Apache-2.0
// A document as one file with a PyTorch module.
#include "export/module.h"

#include <algorithm>
#include <map>
#include <set>

#include "export/helpers.h"
#include "export/lines.h"
#include "export/literal.h"
#include "export/module_code.h"
#include "export/module_groups.h"
#include "export/names.h"
#include "export/python_texts.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

using Leaf = ModuleListing::Leaf;
using Kind = Leaf::Kind;

class ModulePrinter {
 public:
  explicit ModulePrinter(const ModuleListing& listing)
      : l_(listing), graph_(listing.graph.graph()), groups_(listing) {
    for (const std::string& name : names_of_sizes(l_)) (void)argument_names_.unique_name(name);
    for (const ModuleListing::Input& input : l_.inputs)
      arguments_[input.name] = argument_names_.unique_name(input.name);
  }

  std::string print() {
    std::string body = module_classes();
    body += "\n\n" + model_class();  // which calls those classes
    const std::string code = l_.graph.filled_in(body) + helper_code(l_.graph.filled_in(body)) +
                             "\n\nDOCUMENT = " + l_.document + "\n";
    return head() + imports_text(code, {"functools", "json", "math", "os", "struct"}) +
           "\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n" + code;
  }

 private:
  [[nodiscard]] bool has_weights() const {
    return std::any_of(l_.leaves.begin(), l_.leaves.end(),
                       [](const Leaf& leaf) { return leaf.kind == Kind::weight; });
  }

  // A module's name as a class: "decoder-2" is Decoder2.
  static std::string class_name(const std::string& name) {
    std::string text;
    bool upper = true;
    for (const char c : identifier_of_name(name)) {
      if (c == '_') {
        upper = true;
        continue;
      }
      text += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
    return text;
  }

  [[nodiscard]] std::string head() const {
    return "\"\"\"" + heading_text(l_) +
           (has_weights() ? "\n\nThe names in `Model().state_dict()` are those of the files that "
                            "`attend` reads and writes."
                          : "") +
           notes_text(l_) + "\n\"\"\"\n";
  }

  // Below the classes, because readers look for the model first.
  [[nodiscard]] std::string helper_code(const std::string& code) const {
    std::string text = "\n\n# What the model above calls.\n" + vocabulary_text(l_, arguments_);
    if (code.find("real(") != std::string::npos)
      text +=
          "\n\ndef real(dtype, x):\n    \"\"\"Truth values and indices as numbers.\"\"\"\n"
          "    return torch.as_tensor(x).to(dtype)\n";
    text += functions_below(helpers_for(without_real(code), true));
    if (code.find("attend(") != std::string::npos) text += torch_attention;
    if (code.find("drawn(") != std::string::npos || code.find("dropped(") != std::string::npos)
      text += torch_draws;
    return text + functions_below(called_functions(code + words_for_users(l_), torch_module));
  }

  // `real` is a helper of its own here: the type of its numbers is that of the inputs.
  static std::string without_real(std::string code) {
    for (std::size_t at = code.find("real("); at != std::string::npos; at = code.find("real(", at))
      code.replace(at, 4, "____");
    return code;
  }

  // The classes of all modules; those with the same code share one, as the blocks of a transformer do.
  std::string module_classes() {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> bodies;
    for (std::size_t group = 0; group < groups_.root(); ++group) {
      if (!groups_.has_nodes(group)) continue;
      ClassPrinter printer(l_, groups_, group, arguments_);
      const std::string forward = printer.forward();
      classes_made_.emplace(group, printer.signature());
      const std::string body = class_comment(group) + printer.parameters({}) + "\n" + forward;
      const auto same = std::find_if(bodies.begin(), bodies.end(),
                                     [&](const auto& one) { return one.first == body; });
      if (same == bodies.end())
        bodies.push_back({body, {group}});
      else
        same->second.push_back(group);
    }
    std::string text;
    for (const auto& [body, groups] : bodies) {
      const std::string name = class_names_.unique(shared_name(groups));
      for (const std::size_t group : groups) classes_[group] = name;
      text += "\n\nclass " + name + "(nn.Module):\n" + body;
    }
    return text;
  }

  // "block-1" and "block-2" are of the class Block; modules with other names have that of the first.
  [[nodiscard]] std::string shared_name(const std::vector<std::size_t>& groups) const {
    std::set<std::string> names;
    for (const std::size_t group : groups) {
      std::string name = class_name(groups_.name(group));
      while (groups.size() > 1 && name.size() > 1 && name.back() >= '0' && name.back() <= '9')
        name.pop_back();
      names.insert(name);
    }
    return names.size() == 1 ? *names.begin() : class_name(groups_.name(groups.front()));
  }

  // Below the title, so that the class says in formulas what its lines compute.
  static std::string parts_text(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += "    " + docstring_line(part) + "\n";
    return text.empty() ? "" : "\n\n" + text + "    ";
  }

  [[nodiscard]] std::string class_comment(std::size_t group) const {
    for (const ModuleListing::Module& one : l_.modules) {
      if (one.name == groups_.name(group) && !one.says.empty())
        return "    \"\"\"" + docstring_line(one.says) + parts_text(one.parts) + "\"\"\"\n\n";
    }
    return "";
  }

  std::string model_class() {
    ClassPrinter printer(l_, groups_, groups_.root(), arguments_);
    std::vector<ClassPrinter::Part> parts;
    for (const auto& [group, name] : classes_)
      parts.push_back({group, groups_.name(group), name, classes_made_.at(group)});
    std::string text = "class Model(nn.Module):\n    \"\"\"" +
                       docstring_line(l_.title.empty() ? "The whole document." : l_.title) +
                       "\"\"\"\n\n";
    text += printer.parameters(parts) + "\n" + entry() + "\n" + printer.run(parts);
    return has_weights() ? text + "\n" + files() : text;
  }

  // forward(): unequal lengths are taken apart before anything is computed.
  [[nodiscard]] std::string entry() const {
    const EntryText entry = entry_text(l_, arguments_);
    std::string text =
        "    def forward(self, " + entry.arguments + entry.options + "):\n        \"\"\"";
    text += "Results by name; the first axis of each is the batch.\n\n" + entry.inputs_described +
            "        \"\"\"\n";
    text += entry.checks + "        run = functools.partial(self.run, return_maps=return_maps)\n";
    if (!l_.one_by_one)
      text += "        if lengths is None:\n            return run(" + entry.arguments +
              entry.passed_on + ")\n" + entry.beside_lengths;
    return text + "        return by_length(run, {" + entry.inputs + "}, lengths, draws, " +
           (l_.one_by_one ? "True" : "False") + ", {" + entry.axes + "})\n";
  }

  static std::string files() {
    return R"(    def load(self, path):
        """Loads the weights of a safetensors file; an error lists what does not fit."""
        tensors, metadata = read_weights(path)
        tensors = {name: one for name, one in tensors.items() if not name.startswith("optimiser.")}
        own = self.state_dict()
        wrong = [f"{name} is missing" for name in own if name not in tensors]
        wrong += [f"{name} is unknown" for name in tensors if name not in own]
        wrong += [f"{name} has the shape {list(one.shape)} instead of {list(own[name].shape)}"
                  for name, one in tensors.items() if name in own and one.shape != own[name].shape]
        if wrong:
            raise ValueError(f"{path}: " + "; ".join(wrong))
        self.load_state_dict({name: one.to(own[name]) for name, one in tensors.items()})
        return metadata

    def save(self, path):
        """Writes the weights as `attend` reads them: "parameters": {"from": path}."""
        metadata = {"format": "attention-playground/weights/1", "document": DOCUMENT}
        write_weights(path, self.state_dict(), metadata)
)";
  }

  const ModuleListing& l_;
  const Graph& graph_;
  ModuleGroups groups_;
  std::map<std::size_t, std::string> classes_;
  std::map<std::size_t, ClassPrinter::Signature> classes_made_;
  std::map<std::string, std::string> arguments_;  // by input
  Identifiers class_names_ = reserved_class_names(), argument_names_ = reserved_names({});
};

}  // namespace

std::string to_module(const ModuleListing& listing) { return ModulePrinter(listing).print(); }

}  // namespace attend
