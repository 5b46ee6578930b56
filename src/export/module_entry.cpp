// SPDX-License-Identifier: Apache-2.0
// What the files of a PyTorch module and of a NumPy function have in common: heading, words, and the arguments.
#include <algorithm>

#include "export/module_code.h"
#include "export/plain_formula.h"
#include "ops/text.h"

namespace attend {
namespace {

using Leaf = ModuleListing::Leaf;
using Kind = Leaf::Kind;

const Leaf* words_of(const ModuleListing& listing, const std::string& input) {
  for (const Leaf& leaf : listing.leaves)
    if (leaf.kind == Kind::words && leaf.input == input) return &leaf;
  return nullptr;
}

std::string described(const ModuleListing& listing, const ModuleListing::Input& input,
                      const std::string& argument) {
  const Graph& graph = listing.graph.graph();
  if (const Leaf* words = words_of(listing, input.name))
    return "word ids [batch, " + std::to_string(graph[words->node].shape[1]) +
           "], positions in VOCABULARY[" + quoted(argument) + "]";
  for (const Leaf& leaf : listing.leaves) {
    if (leaf.kind == Kind::input && leaf.input == input.name)
      return "numbers " + to_text(graph[leaf.node].shape);
  }
  return "not read";
}

// What is refused before examples are taken apart by their lengths: another number of axes, a fixed size that differs,
// and inputs of unequal batches.
std::string checks_of(const ModuleListing& listing,
                      const std::map<std::string, std::string>& arguments) {
  std::string text, first;
  const auto is_constant = [&](std::size_t extent) {
    return listing.graph.text_of(extent) == std::to_string(extent);
  };
  for (const ModuleListing::Input& input : listing.inputs) {
    for (const Leaf& leaf : listing.leaves) {
      if (leaf.input != input.name || (leaf.kind != Kind::input && leaf.kind != Kind::words))
        continue;
      const std::string& name = arguments.at(input.name);
      Shape shape = listing.graph.graph()[leaf.node].shape;
      if (leaf.kind == Kind::words) shape.pop_back();
      text += "        check(" + quoted(name) + ", " + name + ", " +
              (first.empty() ? "None" : first + ".shape[0]");
      for (std::size_t axis = 1; axis < shape.size(); ++axis)
        text += ", " + (is_constant(shape[axis]) ? std::to_string(shape[axis]) : "None");
      text += ")\n";
      if (first.empty()) first = name;
      break;
    }
  }
  return text;
}

}  // namespace

std::string heading_text(const ModuleListing& listing) {
  std::string text = docstring_line(listing.title.empty() ? "An exported model." : listing.title);
  std::string formula;
  for (const std::string& line : plain_formula(listing.formula))
    formula += "\n    " + docstring_line(line);
  if (!formula.empty()) text += "\n" + formula;
  if (!listing.source.empty()) text += "\n\n" + docstring_line(listing.source);
  return text;
}

std::string notes_text(const ModuleListing& listing) {
  std::string text;
  for (const ModuleListing::Input& input : listing.inputs) {
    if (input.symbol == 0)
      text += "\nThe length of " + input.name + " is fixed: " + docstring_line(input.fixed) + ".";
  }
  if (listing.one_by_one)
    text += "\nThe steps depend on the number of examples, so examples run one after another.";
  return text;
}

std::string vocabulary_text(const ModuleListing& listing,
                            const std::map<std::string, std::string>& arguments) {
  std::string words;
  for (const ModuleListing::Input& input : listing.inputs) {
    const Leaf* leaf = words_of(listing, input.name);
    if (leaf != nullptr)
      words += "    " + quoted(arguments.at(input.name)) + ": " + list_of(leaf->vocabulary) + ",\n";
  }
  return words.empty() ? "" : "\nVOCABULARY = {\n" + words + "}\n";
}

std::string words_for_users(const ModuleListing& listing) {
  const bool words = std::any_of(listing.leaves.begin(), listing.leaves.end(),
                                 [](const Leaf& leaf) { return leaf.kind == Kind::words; });
  return words ? "encode()" : "";
}

bool decoder_reads(const ModuleListing& listing, const std::string& input) {
  return std::any_of(listing.leaves.begin(), listing.leaves.end(), [&](const Leaf& one) {
    return one.kind == Kind::words && one.after_start && (input.empty() || one.input == input);
  });
}

std::vector<std::string> names_of_sizes(const ModuleListing& listing) {
  std::vector<std::string> names = listing.graph.names();
  names.emplace_back("batch");
  return names;
}

std::string functions_below(const std::string& functions) {
  return functions.empty()
             ? ""
             : "\n\n" + functions.substr(0, functions.find_last_not_of('\n') + 1) + "\n";
}

std::string imports_text(const std::string& code, const std::vector<std::string>& modules) {
  std::string text;
  for (const std::string& module : modules)
    if (code.find(module + ".") != std::string::npos) text += "import " + module + "\n";
  return text;
}

EntryText entry_text(const ModuleListing& listing,
                     const std::map<std::string, std::string>& arguments) {
  EntryText entry;
  entry.checks = checks_of(listing, arguments);
  for (const ModuleListing::Input& input : listing.inputs) {
    const std::string& name = arguments.at(input.name);
    entry.arguments += name + ", ";
    entry.inputs += (entry.inputs.empty() ? "" : ", ") + quoted(name) + ": " + name;
    if (input.symbol != 0)
      entry.axes += (entry.axes.empty() ? "" : ", ") + quoted(name) + ": " +
                    quoted(listing.graph.names()[input.symbol]);
    entry.inputs_described += indent + name + ": " + described(listing, input, name) + "\n";
  }
  entry.inputs_described +=
      indent +
      "lengths: for an input its lengths [batch], or a padding mask [batch, n]; by default all "
      "rows are real\n" +
      indent + "return_maps: whether attention maps are among the results\n" + indent +
      "draws: random numbers by name, instead of new ones\n";
  const bool reads = decoder_reads(listing);
  if (reads)
    entry.inputs_described +=
        indent +
        "read: ids by input that a decoder reads in place of the input's own, as word dropout does\n";
  entry.options =
      std::string("lengths=None, return_maps=False, draws=None") + (reads ? ", read=None" : "");
  entry.passed_on = std::string("draws=draws") + (reads ? ", read=read" : "");
  if (reads)
    entry.beside_lengths = indent + "if read is not None:\n" + indent +
                           "    raise ValueError(\"read: expected lengths=None beside it\")\n";
  return entry;
}

}  // namespace attend
