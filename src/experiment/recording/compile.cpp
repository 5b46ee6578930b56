// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/compile.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "catalogue/slots.h"
#include "experiment/reading/class_numbers.h"
#include "experiment/recording/draw.h"
#include "experiment/recording/editor.h"
#include "experiment/recording/map_row.h"
#include "ops/primitive.h"
#include "ops/scan.h"
#include "ops/text.h"

namespace attend {
namespace {

std::size_t recorded = 0;

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

// What a document writes among its outputs to have a leaf: "parameters.score.W1", "inputs.x".
std::string asked_as(const Leaf& leaf) {
  return leaf.kind == Leaf::Kind::input ? leaf.key : tensor_key(TensorGroup::parameters, leaf.key);
}

// Reads which outputs a document asks for. A row of one is recorded, too.
class Requests {
 public:
  Requests(Graph& graph, const Directory& directory, const Recording& recording)
      : graph_(graph), directory_(directory) {
    for (const KnownTensor& output : directory.outputs())
      by_name_.emplace(output.record->name, &output);
    for (const Leaf& leaf : recording.leaves)
      if (leaf.kind != Leaf::Kind::constant) leaves_.insert(asked_as(leaf));
  }

  [[nodiscard]] std::vector<KnownTensor> of(const std::optional<std::vector<std::string>>& names) {
    std::vector<KnownTensor> list;
    if (!names) {
      for (const KnownTensor& one : directory_.outputs()) {
        if (!one.record->when_asked && element_count(graph_[one.node].shape) <= max_unasked_numbers)
          list.push_back(one);
      }
      return list;
    }
    std::set<std::string> asked;
    for (std::size_t i = 0; i < names->size(); ++i) {
      const std::string path = "/outputs/" + std::to_string(i);
      const ErrorScope scope(path, "");
      const std::string& name = (*names)[i];
      if (leaves_.contains(name) || !asked.insert(name).second) continue;  // twice is once
      list.push_back(named(name));
    }
    return list;
  }

 private:
  // "weights", or "weights[3]" for one row.
  [[nodiscard]] KnownTensor named(const std::string& name) {
    const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string::npos;
    const std::string whole = name.substr(0, bracket);
    const std::string row =
        bracket == std::string::npos ? "" : name.substr(bracket + 1, name.size() - bracket - 2);
    const bool counts =
        !row.empty() && row.size() < 10 &&
        std::all_of(row.begin(), row.end(), [](char c) { return c >= '0' && c <= '9'; });
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return *found->second;
    const auto of = by_name_.find(whole);
    if (of == by_name_.end() || !counts)
      refuse("there is no output \"" + name + "\"; there are " + directory_.output_names());
    return row_of(*of->second, name, whole_number(row));
  }

  [[nodiscard]] KnownTensor row_of(const KnownTensor& output, const std::string& name,
                                   std::size_t at) {
    // Rows are queries, behind which a map may have keys and features.
    const auto& axes = output.record->axes;
    const auto m = std::ranges::find(axes, AxisRole::query, &NamedAxis::role);
    const auto from_end = static_cast<std::size_t>(axes.end() - m);
    const Var whole = graph_.var(output.node);
    Var row;
    if (m == axes.end() || from_end <= 2) {
      row = attend::row_of(whole, at);
    } else {
      const long axis = -static_cast<long>(from_end);
      if (at >= whole.extent(axis))
        refuse("there is no row " + std::to_string(at) + " in shape " + to_text(whole.shape()));
      row = slice(whole, axis, at, at + 1);
    }
    TensorRecord record = *output.record;
    record.name = name;
    record.row = true;
    record.recorded = row.id();
    return {as_record(std::move(record)), row.id()};
  }

  Graph& graph_;
  const Directory& directory_;
  std::unordered_map<std::string_view, const KnownTensor*> by_name_;
  std::set<std::string> leaves_;
};

// A step of a scan has time for its first axis; of the others nobody says what they are.
std::vector<NamedAxis> axes_of_step(const Graph& graph, NodeId node) {
  const std::optional<StepNode> step = step_behind(graph, node);
  const Shape& shape = graph[node].shape;
  if (!step || shape.size() != (*step->body->graph)[step->inner].shape.size() + 1) return {};
  std::vector<NamedAxis> axes(shape.size());
  axes[0] = {"time", AxisRole::time};
  return axes;
}

// Named intermediates. What several have for a name is counted: no two tensors are called the same.
void add_steps(const Graph& graph, Directory& directory) {
  std::map<std::string, int> times;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    if (node.primitive == nullptr || node.name.empty()) continue;
    const int count = ++times[node.name];
    directory.add(as_record({.group = TensorGroup::steps,
                             .name = count == 1 ? node.name
                                                : node.name + "\\;(" + std::to_string(count) + ")",
                             .recorded = id,
                             .axes = axes_of_step(graph, id),
                             .module = node.module}),
                  id);
  }
}

}  // namespace

std::size_t recordings() { return recorded; }

Compiled compile(Document document) {
  ++recorded;
  if (document.interventions.empty()) return {std::move(document), nullptr};
  RecordingLog log;
  Document plain = document;
  plain.interventions.clear();
  const Compiled clean(std::move(plain), nullptr);
  const std::vector<Intervention> list = document.interventions;
  Editor editor(clean, log, list);
  Compiled edited(std::move(document), &editor);
  editor.check_all_applied();
  edited.warnings_ = editor.warnings();
  return edited;
}

Compiled::Compiled(Document document, Editor* editor)
    : document_(std::make_unique<Document>(std::move(document))) {
  WordLeaves listening;
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
  words_ = std::move(listening.rows);
  requested_ = Requests(*ended.graph, ended.directory, recording_).of(document_->outputs);
  add_steps(*ended.graph, ended.directory);
  std::vector<Program::Leaf> leaves;
  for (const Leaf& leaf : recording_.leaves) {
    const bool by_example = examples() != 0 && words_.contains(leaf.node);
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
  refuse("there is no tensor \"" + name + "\"; the outputs are " + directory().output_names());
}

void Compiled::write_leaf(const Leaf& leaf, std::span<real> place, std::size_t example) const {
  if (place.empty()) return;  // nothing needs it
  if (leaf.knob != nullptr) {
    std::fill(place.begin(), place.end(), static_cast<real>(graph()[leaf.node].attributes.number));
  } else if (leaf.stored != nullptr) {
    leaf.stored->read(0, place);
  } else if (leaf.given == nullptr) {
    draw(drawn_of(leaf), {document_->seed, 0, example}, place);
  } else if (const auto words = words_.find(leaf.node); words != words_.end() && examples() != 0) {
    words->second.write(document_->examples[example].at(words->second.input).labels, place.data());
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
