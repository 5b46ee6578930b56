// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/compile.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "catalogue/slots.h"
#include "experiment/reading/class_numbers.h"
#include "experiment/recording/draw.h"
#include "experiment/recording/editor.h"
#include "experiment/recording/requests.h"
#include "ops/json_pointer.h"
#include "ops/primitive.h"
#include "ops/scan.h"
#include "ops/text.h"

namespace attend {
namespace {

LeafKind kind_of(const Leaf& leaf) {
  if (leaf.kind == Leaf::Kind::input) return LeafKind::input;
  if (leaf.kind == Leaf::Kind::constant) return LeafKind::constant;
  switch (origin_of(leaf.distribution)) {
    case Origin::initialiser:
      return LeafKind::weight;
    case Origin::noise:
      return LeafKind::noise;
    case Origin::constant:
      break;
  }
  return LeafKind::constant;
}

// A step of a scan has time for its first axis; the roles of the others are unknown.
std::vector<NamedAxis> axes_of_step(const Graph& graph, NodeId node) {
  const std::optional<StepNode> step = step_behind(graph, node);
  const Shape& shape = graph[node].shape;
  if (!step || shape.size() != (*step->body->graph)[step->inner].shape.size() + 1) return {};
  std::vector<NamedAxis> axes(shape.size());
  axes[0] = {"time", AxisRole::time};
  return axes;
}

// Named intermediates. A name that several have gets a number, so that all names differ.
void add_steps(const Graph& graph, Directory& directory) {
  std::map<std::string, int> times;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    if (node.primitive == nullptr || node.name.empty()) continue;
    const int count = ++times[node.name];
    directory.add(
        as_record(
            {.group = TensorGroup::steps,
             .name = count == 1 ? node.name : node.name + "\\;(" + std::to_string(count) + ")",
             .recorded = id,
             .axes = axes_of_step(graph, id),
             .module = node.module == no_module ? std::nullopt
                                                : std::optional<std::size_t>(node.module)}),
        id);
  }
}

// An input that nothing reads is most often a slip in its name.
void warn_of_unread(const Document& document, const Recording& recording,
                    std::vector<Warning>& warnings) {
  const Json* own = document.json.is_object() && document.json.contains("inputs")
                        ? &document.json["inputs"]
                        : nullptr;
  for (const auto& [name, input] : document.inputs) {
    if (recording.leaf(input_key(name)) != nullptr) continue;
    const bool shared = own == nullptr || own->contains(name) || document.examples.empty();
    warnings.push_back(
        {(shared ? "/inputs/" : "/examples/0/") + as_pointer_part(name),
         "no module reads the input \"" + name + "\"; wire it to a module, or leave it out"});
  }
}

// All examples run by one program, so they must agree in everything on which it depends.
void check_forms(const Document& document, const Recording& recording) {
  for (const ReadForm& read : recording.forms) {
    for (std::size_t i = 1; i < document.examples.size(); ++i) {
      const auto first = document.examples[0].find(read.tokens);
      const auto own = document.examples[i].find(read.tokens);
      if (first == document.examples[0].end() || own == document.examples[i].end() ||
          read.form.of(first->second.labels) == read.form.of(own->second.labels))
        continue;
      refuse("/examples/" + std::to_string(i) + "/" + as_pointer_part(read.tokens),
             read.form.difference);
    }
  }
}

// Words of other examples than the first, which a vocabulary that was made from the first need not have.
void warn_of_unknown(const Document& document, const Recording& recording,
                     std::vector<Warning>& warnings) {
  std::map<std::string, std::set<std::string>> known;  // paths, and the words that are named there
  for (const auto& [leaf, rows] : recording.words) {
    for (std::size_t i = 1; i < document.examples.size(); ++i) {
      const auto own = document.examples[i].find(rows.input);
      if (own == document.examples[i].end()) continue;
      for (const std::string& token : own->second.labels) {
        if (std::ranges::find(rows.vocabulary, token) == rows.vocabulary.end())
          known["/examples/" + std::to_string(i) + "/" + as_pointer_part(rows.input)].insert(token);
      }
    }
  }
  for (const auto& [path, words] : known) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
    warnings.push_back({path, "the vocabulary lacks " + list +
                                  "; words outside it count as <unknown>; without a list "
                                  "\"vocabulary\" it has the words of the first example"});
  }
}

}  // namespace

Compiled compile(Document document) {
  if (document.interventions.empty()) return {std::move(document), nullptr};
  RecordingLog log;
  Document plain = document;
  plain.interventions.clear();
  const Compiled clean(std::move(plain), nullptr);
  const std::vector<Intervention> list = document.interventions;
  Editor editor(clean, log, list);
  Compiled edited(std::move(document), &editor);
  editor.check_all_applied();
  edited.warnings_.insert(edited.warnings_.end(), editor.warnings().begin(),
                          editor.warnings().end());
  return edited;
}

Compiled::Compiled(Document document, Editor* editor)
    : document_(std::make_unique<Document>(std::move(document))) {
  Builder builder(document_->inputs, document_->parameters, document_->ties,
                  document_->stored.get());
  if (editor != nullptr) editor->edit(builder);
  for (const ModuleUse& module : document_->modules)
    builder.record(module.choice, module.name, module.wires, module.wires_path);
  if (!document_->modules.front().name.empty()) builder.add_loss();
  builder.check_all_used();
  Recorded ended = std::move(builder).end();
  recording_ = std::move(ended.recording);
  check_classes(recording_.leaves, *document_);
  check_forms(*document_, recording_);
  warn_of_unread(*document_, recording_, warnings_);
  warn_of_unknown(*document_, recording_, warnings_);
  requested_ = requested_outputs(*ended.graph, ended.directory, recording_, document_->outputs);
  add_steps(*ended.graph, ended.directory);
  std::vector<Program::Leaf> leaves;
  for (const Leaf& leaf : recording_.leaves) {
    const bool by_example = examples() != 0 && words().contains(leaf.node);
    leaves.push_back(
        {leaf.key, leaf.node, by_example ? LeafKind::input : kind_of(leaf), leaf.record});
  }
  std::vector<Program::Result> results;
  for (const KnownTensor& output : ended.directory.outputs())
    results.push_back({output.record->key(), output.node, output.record});
  for (const KnownTensor& output : requested_)
    results.push_back({output.record->key(), output.node, output.record});
  program_ = {std::move(ended.graph),
              std::move(leaves),
              std::move(results),
              {},
              std::make_shared<const Directory>(std::move(ended.directory))};
}

bool Compiled::asks_for(const Leaf& leaf) const {
  const auto& names = document_->outputs;
  return names && std::find(names->begin(), names->end(), asked_as(leaf)) != names->end();
}

std::string Compiled::module_name(std::size_t module) const {
  const Modules& modules = directory().modules();
  return module < modules.size() ? modules[module].name : "";
}

NodeId Compiled::find(const std::string& name) const {
  if (const KnownTensor* output = directory().output(name)) return output->node;
  if (const Leaf* leaf = recording_.leaf(name)) return leaf->node;
  if (const KnownTensor* step = directory().find(TensorGroup::steps, name)) return step->node;
  refuse("there is no tensor \"" + name + "\"; among the outputs, " +
         directory().outputs_for(name));
}

void Compiled::write_leaf(const Leaf& leaf, std::span<real> place, std::size_t example) const {
  if (place.empty()) return;  // nothing needs it
  if (leaf.knob != nullptr) {
    std::fill(place.begin(), place.end(), static_cast<real>(graph()[leaf.node].attributes.number));
  } else if (leaf.stored != nullptr) {
    leaf.stored->read(0, place);
  } else if (leaf.given == nullptr) {
    draw(drawn_of(leaf), {document_->seed, 0, example}, place);
  } else if (const auto rows = words().find(leaf.node); rows != words().end() && examples() != 0) {
    rows->second.write(document_->examples[example].at(rows->second.input).labels, place.data());
  } else {
    const Tensor* given = leaf.given;
    if (leaf.kind == Leaf::Kind::input && examples() != 0) {
      const Builder::Inputs& own = document_->examples[example];
      const auto found = own.find(leaf.name());
      if (found != own.end()) given = &found->second.tensor;
    }
    std::transform(given->data.begin(), given->data.end(), place.begin(),
                   [](double x) { return static_cast<real>(x); });
  }
}

std::vector<real> Compiled::leaf_data(const Leaf& leaf) const {
  std::vector<real> numbers(element_count(leaf.shape));
  write_leaf(leaf, numbers);
  return numbers;
}

}  // namespace attend
