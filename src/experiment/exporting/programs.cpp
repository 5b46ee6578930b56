// SPDX-License-Identifier: Apache-2.0
#include "experiment/exporting/programs.h"

#include "experiment/reading/read_tensor.h"
#include "export/program.h"

namespace attend {
namespace {

constexpr std::uint64_t max_program_numbers = std::uint64_t{1} << 22U;  // some 80 MB of text

// The words along the rows of a leaf: an input's own, or those that a one-hot leaf represents.
std::vector<std::string> row_words_of(const Compiled& compiled, const Leaf& leaf) {
  const auto& inputs = compiled.document().inputs;
  if (leaf.kind == Leaf::Kind::input) {
    const auto own = inputs.find(leaf.name());
    return own == inputs.end() ? std::vector<std::string>{} : own->second.labels;
  }
  const auto rows = compiled.words().find(leaf.node);
  if (rows == compiled.words().end()) return {};
  const auto read = inputs.find(rows->second.input);
  if (read == inputs.end()) return {};
  std::vector<std::string> words = read->second.labels;
  if (rows->second.after_start && !words.empty()) {
    words.insert(words.begin(), rows->second.vocabulary[WordList::start]);
    words.pop_back();
  }
  return words;
}

Listing program_of(const Compiled& compiled, const Heading& heading) {
  Listing program{compiled.graph(), {}, {}, heading.title, heading.formula, heading.source};
  const Json* title = member(compiled.document().json, "title");
  if (program.title.empty() && title != nullptr) program.title = title->get<std::string>();
  if (compiled.examples() > 0) {
    program.source += (program.source.empty() ? "The first of " : ". The first of ") +
                      std::to_string(compiled.examples()) + " examples";
  }
  for (const ModuleNode& module : compiled.directory().modules())
    program.modules.push_back(module.name);
  std::uint64_t size = 0;
  for (const Leaf& leaf : compiled.leaves()) {
    if (leaf.knob != nullptr) continue;  // stands in the code as a number
    size += element_count(leaf.shape);
    if (size > max_program_numbers) {
      refuse("/inputs", "the script would hold more than " + std::to_string(max_program_numbers) +
                            " numbers; use fewer tokens or smaller widths");
    }
    const std::vector<real> numbers = compiled.leaf_data(leaf);
    program.leaves.push_back({leaf.node,
                              leaf.name(),
                              {numbers.begin(), numbers.end()},
                              leaf.kind == Leaf::Kind::input,
                              row_words_of(compiled, leaf)});
  }
  for (const KnownTensor& output : compiled.requested())
    program.results.push_back({output.record->name, output.node});
  return program;
}

}  // namespace

Heading read_heading(std::string_view heading) {
  const Json words = parse_json(heading);
  const auto text = [&](const char* name) {
    const Json* value = words.is_object() ? member(words, name) : nullptr;
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  };
  return {text("title"), text("formula"), text("source")};
}

std::string export_program(const Compiled& compiled, const std::string& format,
                           const Heading& heading) {
  if (format == "latex") return to_latex(program_of(compiled, heading));
  if (format == "pytorch" || format == "numpy")
    return to_python(program_of(compiled, heading), format == "pytorch");
  refuse("unknown format \"" + format + "\"; known: pytorch, numpy, latex");
}

}  // namespace attend
