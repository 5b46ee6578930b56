// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/compile.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "catalogue/slots.h"
#include "experiment/reading/class_numbers.h"
#include "experiment/recording/draw.h"
#include "experiment/recording/editor.h"
#include "experiment/recording/map_row.h"
#include "experiment/recording/result_group.h"
#include "ops/primitive.h"
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
    : document_(std::make_unique<Document>(std::move(document))),
      builder_(std::make_shared<Builder>(document_->inputs, document_->parameters, document_->ties,
                                         document_->stored.get())) {
  WordLeaves listening;
  if (editor != nullptr) editor->edit(*builder_);
  for (const ModuleUse& module : document_->modules)
    builder_->record(module.choice, module.name, module.wires, module.wires_path);
  if (!document_->modules.front().name.empty()) builder_->finish();
  builder_->check_all_used();
  check_classes(*builder_, *document_);
  words_ = std::move(listening.rows);
  requested_ = read_requested();
  std::vector<Program::Leaf> leaves;
  for (const Leaf& leaf : builder_->leaves) {
    const bool by_example = examples() != 0 && words_.contains(leaf.var.id());
    leaves.push_back({leaf.key, leaf.var.id(), by_example ? LeafKind::input : kind_of(leaf)});
  }
  std::vector<Program::Result> results;
  for (const Output& output : builder_->outputs)
    results.push_back({output_key(output.name), output.var.id()});
  for (const Output& output : requested_)
    results.push_back({output_key(output.name), output.var.id()});
  program_ = {{builder_, &builder_->graph()}, std::move(leaves), std::move(results)};
}

std::vector<Output> Compiled::read_requested() const {
  std::vector<Output> list;
  if (!document_->outputs) {
    std::copy_if(builder_->outputs.begin(), builder_->outputs.end(), std::back_inserter(list),
                 [](const Output& o) {
                   return !o.when_asked && element_count(o.var.shape()) <= max_unasked_numbers;
                 });
    return list;
  }
  OutputsByName by_name;
  for (const Output& output : builder_->outputs) by_name.emplace(output.name, &output);
  std::set<std::string> asked;
  for (std::size_t i = 0; i < document_->outputs->size(); ++i) {
    const std::string path = "/outputs/" + std::to_string(i);
    const ErrorScope scope(path, "");
    const std::string& name = (*document_->outputs)[i];
    if (is_leaf(name) || !asked.insert(name).second) continue;  // twice is once
    list.push_back(output_named(name, by_name));
  }
  return list;
}

namespace {
// What a document writes among its outputs to have a leaf: "parameters.score.W1", "inputs.x".
std::string asked_as(const Leaf& leaf) {
  return leaf.kind == Leaf::Kind::input ? leaf.key : result_key(ResultGroup::parameters, leaf.key);
}
}  // namespace

bool Compiled::is_leaf(std::string_view asked) const {
  return std::any_of(builder_->leaves.begin(), builder_->leaves.end(), [&](const Leaf& leaf) {
    return leaf.kind != Leaf::Kind::constant && asked == asked_as(leaf);
  });
}

bool Compiled::asks_for(const Leaf& leaf) const {
  const auto& names = document_->outputs;
  return names && std::find(names->begin(), names->end(), asked_as(leaf)) != names->end();
}

// "weights", or "weights[3]" for one row.
Output Compiled::output_named(const std::string& name, const OutputsByName& by_name) const {
  const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string::npos;
  const std::string whole = name.substr(0, bracket);
  const std::string row =
      bracket == std::string::npos ? "" : name.substr(bracket + 1, name.size() - bracket - 2);
  const bool counts =
      !row.empty() && row.size() < 10 &&
      std::all_of(row.begin(), row.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto found = by_name.find(name);
  if (found != by_name.end()) return *found->second;
  const auto of = by_name.find(whole);
  if (of == by_name.end() || !counts)
    refuse("there is no output \"" + name + "\"; there are " + output_names());
  const Output& output = *of->second;
  // Rows are queries, behind which a map may have keys and features.
  const auto m = std::find_if(output.axes.begin(), output.axes.end(),
                              [](const NamedAxis& axis) { return axis.role == AxisRole::query; });
  const auto from_end = static_cast<std::size_t>(output.axes.end() - m);
  const std::size_t at = whole_number(row);
  Output one = output;
  one.name = name;
  one.row = true;
  if (m == output.axes.end() || from_end <= 2) {
    one.var = row_of(output.var, at);
    return one;
  }
  const long axis = -static_cast<long>(from_end);
  if (at >= output.var.extent(axis))
    refuse("there is no row " + row + " in shape " + to_text(output.var.shape()));
  one.var = slice(output.var, axis, at, at + 1);
  return one;
}

std::vector<NamedStep> Compiled::steps() const {
  std::vector<NamedStep> list;
  std::map<std::string, int> times;
  for (NodeId id = 0; id < graph().size(); ++id) {
    const Node& node = graph()[id];
    if (node.primitive == nullptr || node.name.empty()) continue;
    const int count = ++times[node.name];
    list.push_back({count == 1 ? node.name : node.name + "\\;(" + std::to_string(count) + ")", id});
  }
  return list;
}

std::string Compiled::output_names() const {
  std::string names;
  for (const Output& output : builder_->outputs) names += (names.empty() ? "" : ", ") + output.name;
  return names;
}

std::string Compiled::module_name(std::uint32_t module) const {
  const auto& modules = builder_->modules;
  return module < modules.size() ? modules[module].name : "";
}

Var Compiled::find(const std::string& name) const {
  for (const Output& output : builder_->outputs) {
    if (output.name == name) return output.var;
  }
  for (const Leaf& leaf : builder_->leaves) {
    if (leaf.key == name) return leaf.var;
  }
  for (const NamedStep& step : steps()) {
    if (step.name == name) return graph().var(step.node);
  }
  refuse("there is no tensor \"" + name + "\"; the outputs are " + output_names());
}

void Compiled::write_leaf(const Leaf& leaf, std::span<real> place, std::size_t example) const {
  if (place.empty()) return;  // nothing needs it
  if (leaf.knob != nullptr) {
    std::fill(place.begin(), place.end(),
              static_cast<real>(graph()[leaf.var.id()].attributes.number));
  } else if (leaf.stored != nullptr) {
    leaf.stored->read(0, place);
  } else if (leaf.given == nullptr) {
    draw(drawn_of(leaf), {document_->seed, 0, example}, place);
  } else if (const auto words = words_.find(leaf.var.id());
             words != words_.end() && examples() != 0) {
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
  std::vector<real> numbers(element_count(leaf.var.shape()));
  write_leaf(leaf, numbers);
  return numbers;
}

}  // namespace attend
