// SPDX-License-Identifier: Apache-2.0
#include "ops/directory.h"

#include <algorithm>
#include <utility>

#include "ops/near_names.h"

namespace attend {

std::shared_ptr<const Directory> empty_directory() {
  static const auto empty = std::make_shared<const Directory>();
  return empty;
}

void Directory::add(Record record, NodeId node) {
  std::vector<KnownTensor>& group = groups_.at(static_cast<std::size_t>(record->group));
  group.push_back({std::move(record), node});
}

const KnownTensor* Directory::find(TensorGroup group, std::string_view name) const {
  const std::vector<KnownTensor>& list = of(group);
  const auto found =
      std::ranges::find_if(list, [&](const KnownTensor& one) { return one.record->name == name; });
  return found == list.end() ? nullptr : &*found;
}

WireSource parts_of_source(std::string_view source) {
  const std::size_t dot = source.find('.');
  if (dot == std::string_view::npos) return {source, {}};
  return {source.substr(0, dot), source.substr(dot + 1)};
}

std::string Directory::outputs_for(const std::string& name) const {
  std::vector<std::string> names;
  for (const KnownTensor& output : outputs()) names.push_back(output.record->name);
  return names_for(name, names, "there are ");
}

std::string Directory::output_names() const {
  std::string names;
  for (const KnownTensor& output : outputs())
    names += (names.empty() ? "" : ", ") + output.record->name;
  return names;
}

const KnownTensor* Directory::main_result(std::optional<std::size_t> module,
                                          std::span<const MainResult> order) const {
  for (const MainResult main : order) {
    const auto found = std::ranges::find_if(outputs(), [&](const KnownTensor& one) {
      return one.record->module == module && one.record->main == main;
    });
    if (found != outputs().end()) return &*found;
  }
  return nullptr;
}

const KnownTensor* Directory::main_result(std::span<const MainResult> order) const {
  // The only module of a document with a mechanism has no name. What a model says of itself belongs to none.
  const bool only = !modules().empty() && modules().front().name.empty();
  return main_result(only ? std::optional<std::size_t>(0) : std::nullopt, order);
}

std::optional<std::size_t> Directory::place_of(std::string_view module) const {
  const auto found = std::ranges::find(modules(), module, &ModuleNode::name);
  if (found == modules().end()) return std::nullopt;
  return static_cast<std::size_t>(found - modules().begin());
}

const std::string& Directory::document_module(std::optional<std::size_t> module) const {
  static const std::string none;  // of a document's only module, and of the sum of all losses
  if (!module || modules().front().name.empty()) return none;
  const ModuleNode* at = &modules()[*module];
  while (!at->parent.empty()) at = &modules()[*place_of(at->parent)];
  return at->name;
}

const KnownTensor* Directory::output_behind(std::string_view source) const {
  if (const KnownTensor* named = output(source)) return named;
  const auto module = place_of(source);
  return module ? main_result(module, wired_alone) : nullptr;
}

}  // namespace attend
