// SPDX-License-Identifier: Apache-2.0
// What happens when a pointer into a document leads to numbers of a leaf: nothing else of the document is looked at.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "catalogue/check_knob.h"
#include "catalogue/mechanism.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/recording/compile.h"
#include "ops/json_pointer.h"
#include "ops/rewrite.h"

namespace attend {
namespace {

std::vector<std::string> parts_of(const std::string& pointer) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    parts.push_back(from_pointer_part(std::string_view(pointer).substr(at + 1, end - at - 1)));
    at = end;
  }
  return parts;
}

// Adds the numbers of a value that has the form of the one before it: lists of the same lengths, numbers in the same
// places. False for any other, and for numbers that are refused elsewhere.
bool collect(const Json& before, const Json& value, std::vector<double>& numbers) {
  if (before.is_number() && value.is_number()) {
    numbers.push_back(value.get<double>());
    return std::isfinite(static_cast<real>(numbers.back()));
  }
  return before.is_array() && value.is_array() && before.size() == value.size() &&
         std::equal(before.begin(), before.end(), value.begin(),
                    [&](const Json& x, const Json& y) { return collect(x, y, numbers); });
}

// Where an input's or a parameter's numbers are in its JSON.
const Json* numbers_in(const Json& source, std::vector<std::string>& names) {
  const Json* at = &source;
  const auto enter = [&](const char* name) {
    const Json* inner = at->is_object() ? member(*at, name) : nullptr;
    if (inner == nullptr) return false;
    names.emplace_back(name);
    at = inner;
    return true;
  };
  if (at->is_object() && at->contains("tokens") &&
      (!enter("features") || (*at)["type"] != "matrix"))
    return nullptr;
  (void)enter("matrix");
  (void)enter("data");
  return at->is_array() ? at : nullptr;
}

// The cells of a tensor below `parts`, of which the first `used` lead to its source.
std::optional<LeafChange> cells_of(const Json& source, const std::vector<std::string>& parts,
                                   std::size_t used, const Json& value) {
  std::vector<std::string> names;
  const Json* at = numbers_in(source, names);
  if (at == nullptr || parts.size() < used + names.size() ||
      !std::equal(names.begin(), names.end(), parts.begin() + static_cast<long>(used)))
    return std::nullopt;
  LeafChange change;
  for (std::size_t i = used + names.size(); i < parts.size(); ++i) {
    if (!at->is_array()) return std::nullopt;
    const std::size_t index = std::stoul(parts[i]);  // the pointer leads somewhere
    change.first = change.first * at->size() + index;
    at = &(*at)[index];
  }
  if (!collect(*at, value, change.numbers)) return std::nullopt;
  change.first *= change.numbers.size();
  return change;
}

bool takes(const Leaf& leaf, const std::vector<double>& numbers) {
  const bool draws =
      leaf.distribution == Distribution::uniform || leaf.distribution == Distribution::bernoulli;
  return leaf.below == 0 && !draws && std::all_of(numbers.begin(), numbers.end(), [&](double x) {
           return leaf.values.holds(x);
         });
}

void set_knob(Choice& choice, const std::string& path, const Knob* knob, double number) {
  const auto& knobs = choice.mechanism->knobs;
  const bool has =
      std::any_of(knobs.begin(), knobs.end(), [&](const Knob& one) { return &one == knob; });
  if (choice.path == path && has) choice.knobs[std::string(knob->name)] = number;
  for (auto& [slot, choices] : choice.slots) {
    for (Choice& inner : choices) set_knob(inner, path, knob, number);
  }
}

}  // namespace

std::optional<LeafChange> Compiled::leaf_change(const std::string& pointer,
                                                const Json& value) const {
  // A patch from an example holds numbers of that example, and inputs of examples lie elsewhere.
  if (!document_->interventions.empty() || examples() != 0) return std::nullopt;
  if (!document_->json.contains(Json::json_pointer(pointer))) return std::nullopt;
  LeafChange change;
  if (const Leaf* leaf = recording_.leaf(pointer); leaf != nullptr && leaf->knob != nullptr) {
    if (recording_.baked.contains(pointer) || !value.is_number()) return std::nullopt;
    check_knob(*leaf->knob, value.get<double>(), pointer);
    change.knob = true;
    change.numbers = {value.get<double>()};
    change.leaves.push_back(leaf->key);
  }
  if (!change.knob) {
    const std::vector<std::string> parts = parts_of(pointer);
    if (parts.size() < 2 || (parts[0] != "inputs" && parts[0] != "parameters")) return std::nullopt;
    const bool input = parts[0] == "inputs";
    auto cells = cells_of(document_->json[parts[0]][parts[1]], parts, 2, value);
    if (!cells) return std::nullopt;
    change = std::move(*cells);
    for (const Leaf& leaf : leaves()) {
      const bool own = input == (leaf.kind == Leaf::Kind::input) && leaf.knob == nullptr &&
                       leaf.name() == parts[1] && leaf.given != nullptr;
      if (!own) continue;
      if (!takes(leaf, change.numbers)) return std::nullopt;
      change.leaves.push_back(leaf.key);
    }
    if (change.leaves.empty()) return std::nullopt;
  }
  change.pointer = pointer;
  change.value = value;
  return change;
}

void Compiled::take_leaves(const std::vector<LeafChange>& changes) {
  std::map<std::string, double> shown;
  for (const LeafChange& change : changes) {
    document_->json[Json::json_pointer(change.pointer)] = change.value;
    if (!change.knob) {
      const std::vector<std::string> parts = parts_of(change.pointer);
      Tensor& tensor = parts[0] == "inputs" ? document_->inputs.find(parts[1])->second.tensor
                                            : document_->parameters.find(parts[1])->second;
      std::copy(change.numbers.begin(), change.numbers.end(),
                tensor.data.begin() + static_cast<long>(change.first));
      continue;
    }
    const std::size_t slash = change.pointer.rfind('/');
    const std::string path = change.pointer.substr(0, slash);
    for (ModuleUse& module : document_->modules)
      set_knob(module.choice, path, recording_.leaf(change.leaves.front())->knob,
               change.numbers.front());
    shown[change.pointer] = change.numbers.front();
  }
  show(shown);
}

void Compiled::show(const std::map<std::string, double>& numbers) {
  std::optional<Rewrite> shown;
  for (const auto& [key, number] : numbers) {
    const std::size_t slash = key.rfind('/');
    const auto slot = recording_.resolved.find(key.substr(0, slash));
    if (slot != recording_.resolved.end()) slot->second[key.substr(slash + 1)] = number;
    const Leaf* const leaf = recording_.leaf(key);
    if (leaf == nullptr || leaf->knob == nullptr) continue;
    if (graph()[leaf->node].attributes.number == number + leaf->plus) continue;
    if (!shown) shown.emplace(program_).copy_whole();
    shown->graph().renumber(leaf->node, number + leaf->plus);
  }
  if (shown) program_ = shown->program();
}

}  // namespace attend
