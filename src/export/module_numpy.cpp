// SPDX-License-Identifier: Apache-2.0
// A document as one file with a NumPy function for batches.
#include <map>

#include "export/helpers.h"
#include "export/module.h"
#include "export/module_code.h"
#include "export/module_groups.h"
#include "export/names.h"
#include "export/python_texts.h"
#include "ops/text.h"

namespace attend {
namespace {

using Leaf = ModuleListing::Leaf;
using Kind = Leaf::Kind;

// The lines of a method as those of a function of the file.
std::string outside_class(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    text += lines.substr(lines.compare(at, 4, "    ") == 0 ? at + 4 : at,
                         end - (lines.compare(at, 4, "    ") == 0 ? at + 4 : at));
    at = end;
  }
  return text;
}

class NumpyPrinter {
 public:
  explicit NumpyPrinter(const ModuleListing& listing) : l_(listing), groups_(listing) {
    for (const std::string& name : names_of_sizes(l_)) (void)argument_names_.unique_name(name);
    for (const ModuleListing::Input& input : l_.inputs)
      arguments_[input.name] = argument_names_.unique_name(input.name);
  }

  std::string print() {
    ClassPrinter printer(l_, groups_, groups_.root(), arguments_);
    const std::string run = outside_class(printer.run({}));
    const std::string tables = printer.tables();
    const std::string code =
        l_.graph.filled_in((tables.empty() ? "" : "\n" + tables) + "\n\n" + entry() + "\n\n" + run);
    const std::string all = code + common(code) + "\n\nDOCUMENT = " + l_.document + "\n";
    return head() + imports_text(all, {"functools", "json", "math", "struct"}) +
           "\nimport numpy as np\n\nx_type = np.float64  # or np.float32\n" + all;
  }

 private:
  [[nodiscard]] std::string head() const {
    return "\"\"\"" + heading_text(l_) +
           "\n\n`parameters` is a dictionary of arrays, by the names of the files that `attend` reads "
           "and writes." +
           notes_text(l_) + "\n\"\"\"\n";
  }

  // Below the functions of the model, because readers look for these first.
  [[nodiscard]] std::string common(const std::string& code) const {
    std::string text = "\n\n# What the model above calls.\n" + vocabulary_text(l_, arguments_);
    text += "\n# The shapes of the weights.\nWEIGHTS = {\n";
    for (const Leaf& leaf : l_.leaves) {
      if (leaf.kind != Kind::weight) continue;
      const Shape& shape = l_.graph.graph()[leaf.node].shape;
      text +=
          "    " + quoted(leaf.name) + ": " + python_tuple({shape.begin(), shape.end()}) + ",\n";
    }
    text += "}\n";
    text += functions_below(helpers_for(code, false));
    if (code.find("drawn(") != std::string::npos || code.find("dropped(") != std::string::npos)
      text += numpy_draws;
    return text + functions_below(called_functions(code + words_for_users(l_) + "read_weights()",
                                                   numpy_module));
  }

  // model(): unequal lengths are taken apart before anything is computed.
  [[nodiscard]] std::string entry() const {
    const EntryText entry = entry_text(l_, arguments_);
    std::string text =
        "def model(parameters, " + entry.arguments + entry.options + "):\n    \"\"\"" +
        "Results by name; the first axis of each is the batch.\n\n    parameters: arrays by name, as "
        "`read_weights` returns them\n" +
        outside_class(entry.inputs_described) + "    \"\"\"\n";
    text += outside_class(entry.checks) +
            "    run_with = functools.partial(run, parameters, return_maps=return_maps)\n";
    if (!l_.one_by_one)
      text += "    if lengths is None:\n        return run_with(" + entry.arguments +
              entry.passed_on + ")\n" + outside_class(entry.beside_lengths);
    return text + "    return by_length(run_with, {" + entry.inputs + "}, lengths, draws, " +
           (l_.one_by_one ? "True" : "False") + ", {" + entry.axes + "})\n";
  }

  const ModuleListing& l_;
  ModuleGroups groups_;
  std::map<std::string, std::string> arguments_;  // by input
  Identifiers argument_names_ = reserved_names({"parameters"});
};

}  // namespace

std::string to_numpy_module(const ModuleListing& listing) { return NumpyPrinter(listing).print(); }

}  // namespace attend
