// SPDX-License-Identifier: Apache-2.0
#include "experiment/sessions/told.h"

#include <iterator>
#include <set>
#include <utility>

#include "experiment/recording/normalise.h"
#include "experiment/sessions/differences.h"

namespace attend {
namespace {

std::vector<std::string> formulas_of(const Result& result) {
  std::vector<std::string> list;
  for (const ResultTensor& tensor : result.tensors) list.push_back(tensor.formula);
  for (const ResultTensor& tensor : result.left_out) list.push_back(tensor.formula);
  return list;
}

// Without what an answer for the same directory says anyway.
Json without_what_moves(Json directory) {
  for (const char* name : {"warnings", "measures", "document", "read"}) directory.erase(name);
  for (const char* list : {"tensors", "left"}) {
    if (!directory.contains(list)) continue;
    for (Json& entry : directory[list]) entry.erase("formula");
  }
  return directory;
}

}  // namespace

void Told::changed(const LeafChange& leaf) {
  if (number_of_same_ == 0 || all_) return;  // all will be looked at
  Json value = leaf.knob ? describe_value(leaf.numbers.front()) : leaf.value;
  document_[Json::json_pointer(leaf.pointer)] = value;
  // What was changed inside of it before is in it.
  for (auto one = changes_.begin(); one != changes_.end();)
    one = one.key().starts_with(leaf.pointer + "/") ? changes_.erase(one) : std::next(one);
  changes_[leaf.pointer] = std::move(value);
}

bool Told::is_same(const Json& directory) const {
  return without_what_moves(directory) == directory_;
}

Packed Told::tell(const Compiled& compiled, const Result& result, std::size_t last) {
  if (last == 0 || last != number_of_same_) return tell_whole(compiled, result);
  if (all_) {
    const Packing packing = packing_of(compiled, result);
    // What was changed cell by cell before may lie in what differs.
    if (!changes_.empty() || !is_same(packing.directory)) return tell_whole(compiled, result);
    changes_ = differences(document_, packing.directory["document"]);
    document_ = packing.directory["document"];
  }
  return tell_changes(result);
}

Packed Told::tell_whole(const Compiled& compiled, const Result& result) {
  Packing packing = packing_of(compiled, result);
  settle(result);
  packing.directory["read"] = number_;
  Packed packed{text_of(packing.directory), std::move(packing.data)};
  // Kept without a second copy, for that of a large model takes some megabytes.
  document_ = std::move(packing.directory["document"]);
  directory_ = without_what_moves(std::move(packing.directory));
  return packed;
}

Packed Told::tell_changes(const Result& result) {
  Packed packed;
  Json answer{{"ok", true},
              {"same", true},
              {"changed", Json::array()},
              {"formulas", Json::object()},
              {"measures", Json::object()},
              {"warnings", describe_warnings(result)},
              {"document", std::move(changes_)}};
  std::set<NodeId> told;
  for (std::size_t i = 0; i < result.tensors.size(); ++i) {
    const ResultTensor& tensor = result.tensors[i];
    if (seen_ != 0 && !result.numbers->changed_after(tensor.node, seen_)) continue;
    if (is_weight_map(tensor)) answer["measures"][tensor.name()] = measures_of(result, tensor);
    if (!told.insert(tensor.node).second) continue;
    answer["changed"].push_back(i);
    const Numbers data = result.data(tensor);
    packed.data.insert(packed.data.end(), data.begin(), data.end());
  }
  const std::vector<std::string> before = std::move(formulas_);
  settle(result);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] != formulas_[i]) answer["formulas"][std::to_string(i)] = formulas_[i];
  }
  answer["read"] = number_;
  packed.directory = text_of(answer);
  return packed;
}

void Told::settle(const Result& result) {
  number_of_same_ = ++number_;
  seen_ = result.numbers->evaluations();
  all_ = false;
  formulas_ = formulas_of(result);
  changes_ = Json::object();
}

}  // namespace attend
