// SPDX-License-Identifier: Apache-2.0
#include "experiment/exporting/modules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "experiment/exporting/lengths.h"
#include "experiment/exporting/programs.h"
#include "experiment/files/tensor_file.h"
#include "experiment/learning/answer.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/recording/draw.h"
#include "export/module.h"
#include "export/plain_formula.h"
#include "ops/intent.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

constexpr std::size_t most_constants = std::size_t{1} << 16U;

using ListedLeaf = ModuleListing::Leaf;

// Results that everybody wants: what a module hands on. All others show how it came about.
bool tells_how(const TensorRecord& output) {
  return output.main == MainResult::none && output.role != TensorRole::loss &&
         output.role != TensorRole::context && output.role != TensorRole::output;
}

ListedLeaf leaf_of(const SizedRecording& base, const Program::Leaf& one) {
  const Compiled& compiled = *base.compiled;
  const Leaf* const found = compiled.recording().leaf(one.name);
  ListedLeaf leaf{one.node, ListedLeaf::Kind::constant, one.name, ""};
  if (found == nullptr) {
    leaf.kind = ListedLeaf::Kind::dropout;
    return leaf;
  }
  leaf.name = found->name();
  leaf.distribution = std::string(distribution_name(found->distribution));
  leaf.below = found->below;
  const auto words = compiled.words().find(found->node);
  if (words != compiled.words().end()) {
    leaf.kind = ListedLeaf::Kind::words;
    leaf.input = words->second.input;
    leaf.vocabulary = words->second.vocabulary;
    leaf.after_start = words->second.after_start;
  } else if (one.kind == LeafKind::input) {
    leaf.kind = ListedLeaf::Kind::input;
    leaf.input = found->name();
  } else if (one.kind == LeafKind::weight) {
    leaf.kind = ListedLeaf::Kind::weight;
  } else if (one.kind == LeafKind::noise) {
    leaf.kind = ListedLeaf::Kind::noise;
  } else if (found->is_given() ||
             (found->distribution != Distribution::distances && !starts_at_zero(*found))) {
    leaf.distribution = "given";
    const std::vector<real> numbers = compiled.leaf_data(*found);
    if (numbers.size() > most_constants)
      refuse("/parameters", "\"" + leaf.name + "\" has " + std::to_string(numbers.size()) +
                                " numbers that are not weights; a module holds at most " +
                                std::to_string(most_constants));
    leaf.values.assign(numbers.begin(), numbers.end());
  }
  return leaf;
}

// An argument of a module is either ids or numbers.
void check_read_once(const std::vector<ListedLeaf>& leaves) {
  for (const ListedLeaf& words : leaves) {
    for (const ListedLeaf& numbers : leaves) {
      if (words.kind == ListedLeaf::Kind::words && numbers.kind == ListedLeaf::Kind::input &&
          words.input == numbers.input)
        refuse("/inputs/" + words.input,
               "one module reads its features and another its words, but a module takes either "
               "numbers or words; read both from an fm-embedding, or export the script without "
               "--module");
    }
  }
}

// Masks that allow each query the keys up to its own place, at every recorded size.
std::set<NodeId> causal_masks(const SizedRecordings& recordings) {
  std::set<NodeId> found;
  const Graph& base = recordings.list.front().program.graph();
  for (NodeId id = 0; id < base.size(); ++id) {
    const Node& node = base[id];
    if (node.primitive != &primitives::softmax || node.inputs.size() != 2) continue;
    const bool causal =
        std::all_of(recordings.list.begin(), recordings.list.end(), [&](const SizedRecording& one) {
          const MaybeIntent intent = mask_intent(one.program.graph(), node.inputs[1]);
          return intent && intent->is_causal();
        });
    if (causal) found.insert(node.inputs[1]);
  }
  return found;
}

std::vector<ModuleListing::Input> inputs_of(const SizedRecordings& recordings) {
  std::vector<ModuleListing::Input> list;
  for (const auto& [name, input] : recordings.list.front().compiled->document().inputs) {
    std::size_t next = 1;
    for (const LengthSymbol& symbol : recordings.symbols) {
      const bool own =
          std::find(symbol.inputs.begin(), symbol.inputs.end(), name) != symbol.inputs.end();
      if (own)
        list.push_back(
            {name, symbol.fixed.empty() ? next : 0, symbol.least, symbol.most, symbol.fixed});
      if (symbol.fixed.empty()) ++next;
    }
  }
  return list;
}

// In the order in which the computation reads them, which a script keeps too: query, key, value.
void sort_as_read(std::vector<ModuleListing::Input>& inputs,
                  const std::vector<ModuleListing::Leaf>& leaves) {
  std::map<std::string, NodeId> first;
  for (const ListedLeaf& leaf : leaves) {
    if (leaf.input.empty()) continue;
    const NodeId known = first.try_emplace(leaf.input, leaf.node).first->second;
    first[leaf.input] = std::min(known, leaf.node);
  }
  std::ranges::stable_sort(inputs, {},
                           [&](const ModuleListing::Input& input) { return first[input.name]; });
}

// The document without its weights, which stand in a file; draws that it gives stay.
std::string without_weights(const SizedRecordings& recordings) {
  Json whole = recordings.document;
  if (whole.contains("parameters") && whole["parameters"].contains("from"))
    whole.erase("parameters");
  for (const Program::Leaf& leaf : recordings.list.front().program.leaves()) {
    if (leaf.kind == LeafKind::weight && whole.contains("parameters"))
      whole["parameters"].erase(leaf.name);
  }
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Of a choice and of all that is chosen in its slots: "Softmax: a_ij = exp(e_ij) / sum_k exp(e_ik)".
void list_parts(const Choice& choice, const HeadingOf& heading_of, bool own,
                std::vector<std::string>& parts) {
  const Heading heading = heading_of(std::string(choice.mechanism->id));
  const std::vector<std::string> formula = plain_formula(heading.formula);
  // A part without a formula is described by its title; the title of the module itself is above.
  if (!own && !heading.title.empty())
    parts.push_back(heading.title + (formula.empty() ? "" : ": " + formula.front()));
  for (std::size_t line = own ? 0 : 1; line < formula.size(); ++line)
    parts.push_back((own ? "" : "  ") + formula[line]);
  for (const auto& [slot, chosen] : choice.slots) {
    for (const Choice& one : chosen) list_parts(one, heading_of, false, parts);
  }
}

// What one of the document's own modules is made of; of a module inside another one nothing, the outer one lists it.
std::vector<std::string> parts_of(const Document& document, const std::string& name,
                                  const HeadingOf& heading_of) {
  std::vector<std::string> parts;
  for (const ModuleUse& module : document.modules) {
    if (module.name == name) list_parts(module.choice, heading_of, true, parts);
  }
  return parts;
}

// Of how many each recording draws its indices.
std::vector<std::size_t> counts_below(const SizedRecordings& recordings, const std::string& name) {
  std::vector<std::size_t> counts;
  for (const SizedRecording& one : recordings.list)
    counts.push_back(one.compiled->recording().leaf(name)->below);
  return counts;
}

// Whether a weight begins with a number that may depend on the lengths, "0-ln(n)".
bool is_stated(const Leaf& leaf) {
  return leaf.distribution == Distribution::stated && !leaf.is_given();
}

// The document at its own lengths, where a weight begins with a number that may depend on them.
std::optional<Compiled> at_own_lengths(const SizedRecordings& recordings) {
  const SizedRecording& base = recordings.list.front();
  const bool needed = std::ranges::any_of(base.program.leaves(), [&](const Program::Leaf& one) {
    const Leaf* const leaf = base.compiled->recording().leaf(one.name);
    return leaf != nullptr && is_stated(*leaf);
  });
  if (!needed) return std::nullopt;
  Json document = recordings.document;
  document.erase("training");
  return compile(read_document(std::move(document)));
}

std::string weight_file_of(const SizedRecordings& recordings, const std::optional<Compiled>& own) {
  const SizedRecording& base = recordings.list.front();
  TensorFile file;
  for (const Program::Leaf& one : base.program.leaves()) {
    if (one.kind != LeafKind::weight) continue;
    const Leaf& leaf = *base.compiled->recording().leaf(one.name);
    const std::vector<real> numbers = is_stated(leaf)
                                          ? own->leaf_data(*own->recording().leaf(one.name))
                                          : base.compiled->leaf_data(leaf);
    file.tensors[one.name] = {leaf.shape, {numbers.begin(), numbers.end()}};
  }
  file.metadata = {{"format", "attention-playground/weights/1"},
                   {"document", without_weights(recordings)}};
  return write_tensor_file(file, NumberCode::whole);
}

ExportedModule module_in(ModuleListing::Library library, std::string_view document,
                         const HeadingOf& heading_of, const std::string& fixed) {
  const bool torch = library == ModuleListing::Library::torch;
  const SizedRecordings recordings = record_at_lengths(parse_json(document), fixed);
  const SizedRecording& base = recordings.list.front();
  const Compiled& compiled = *base.compiled;
  const std::optional<Compiled> own = at_own_lengths(recordings);
  std::vector<SymbolicGraph::Recording> graphs;
  for (const SizedRecording& one : recordings.list)
    graphs.push_back({&one.program.graph(), one.sizes});
  std::set<NodeId> rows_of_words;
  for (const Program::Leaf& one : base.program.leaves())
    if (leaf_of(base, one).kind == ListedLeaf::Kind::words) rows_of_words.insert(one.node);
  SymbolicGraph graph(graphs, recordings.names(),
                      torch ? SymbolicGraph::Words::torch : SymbolicGraph::Words::joined,
                      rows_of_words);
  ModuleListing listing{graph, {}, {}, {}, inputs_of(recordings), recordings.one_by_one, library};
  for (const Program::Leaf& one : base.program.leaves()) {
    const Leaf* const leaf = compiled.recording().leaf(one.name);
    if (leaf != nullptr && leaf->knob != nullptr) continue;  // a number in the code
    ListedLeaf listed = leaf_of(base, one);
    if (listed.below != 0)
      listed.below = graph.extent_of(counts_below(recordings, one.name), one.node);
    if (leaf != nullptr && is_stated(*leaf))
      listed.values = {own->recording().leaf(one.name)->start};
    listing.leaves.push_back(std::move(listed));
  }
  sort_as_read(listing.inputs, listing.leaves);
  check_read_once(listing.leaves);
  for (const KnownTensor& output : compiled.requested())
    listing.results.push_back(
        {output.record->name, base.program.find(output.record->key()), tells_how(*output.record)});
  listing.causal = causal_masks(recordings);
  const auto& modules = compiled.directory().modules();
  for (std::size_t k = 0; k < modules.size(); ++k) {
    const auto parent = std::find_if(modules.begin(), modules.end(), [&](const ModuleNode& m) {
      return !modules[k].parent.empty() && m.name == modules[k].parent;
    });
    listing.modules.push_back(
        {modules[k].name,
         parent == modules.end() ? k : static_cast<std::size_t>(parent - modules.begin()),
         heading_of(modules[k].type).title,
         parts_of(compiled.document(), modules[k].name, heading_of)});
  }
  const Json* title = member(recordings.document, "title");
  const Heading heading = heading_of(std::string(compiled.document().mechanism().mechanism->id));
  listing.title =
      title != nullptr && title->is_string() ? title->get<std::string>() : heading.title;
  if (title == nullptr) listing.formula = heading.formula;
  listing.source = title == nullptr ? heading.source : "";
  listing.dropout = recordings.dropout;
  listing.document = Json(without_weights(recordings)).dump();
  return {torch ? to_module(listing) : to_numpy_module(listing), weight_file_of(recordings, own)};
}

}  // namespace

HeadingOf given_headings(std::string_view headings) {
  return [words = parse_json(headings)](const std::string& id) {
    const Json* one = words.is_object() ? member(words, id) : nullptr;
    return one == nullptr ? Heading{} : read_heading(one->dump());
  };
}

ExportedModule export_module(std::string_view document, const HeadingOf& heading,
                             const std::string& fixed) {
  return module_in(ModuleListing::Library::torch, document, heading, fixed);
}

ExportedModule export_numpy_module(std::string_view document, const HeadingOf& heading,
                                   const std::string& fixed) {
  return module_in(ModuleListing::Library::numpy, document, heading, fixed);
}

ExportedModule export_form(std::string_view document, const std::string& form,
                           const HeadingOf& heading) {
  if (form == "pytorch") return export_module(document, heading);
  if (form == "numpy") return export_numpy_module(document, heading);
  if (form == "train") return {export_training(document), ""};
  refuse("unknown form \"" + form + "\"; known: pytorch, numpy, train");
}

std::string code_text(const std::string& code) { return Json{{"code", code}}.dump(); }

}  // namespace attend
