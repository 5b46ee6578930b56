// SPDX-License-Identifier: Apache-2.0
#include "import/tensor_names.h"

#include <algorithm>
#include <cctype>

namespace attend {
namespace {

bool match_from(std::string_view name, std::string_view pattern, std::vector<std::string>& parts) {
  while (!pattern.empty() && pattern.front() != '#' && pattern.front() != '*') {
    if (name.empty() || name.front() != pattern.front()) return false;
    name.remove_prefix(1);
    pattern.remove_prefix(1);
  }
  if (pattern.empty()) return name.empty();
  const bool digits = pattern.front() == '#';
  const std::size_t before = parts.size();
  for (std::size_t length = digits ? 1 : 0; length <= name.size(); ++length) {
    if (digits && std::isdigit(static_cast<unsigned char>(name[length - 1])) == 0) break;
    parts.emplace_back(name.substr(0, length));
    if (match_from(name.substr(length), pattern.substr(1), parts)) return true;
    parts.resize(before);
  }
  return false;
}

std::string with_parts(std::string_view pattern, const std::vector<std::string>& parts) {
  std::string name;
  std::size_t next = 0;
  for (const char c : pattern) {
    if ((c == '#' || c == '*') && next < parts.size()) {
      name += parts[next++];
    } else {
      name += c;
    }
  }
  return name;
}

}  // namespace

std::optional<std::vector<std::string>> match_name(std::string_view name,
                                                   std::string_view pattern) {
  std::vector<std::string> parts;
  if (match_from(name, pattern, parts)) return parts;
  return std::nullopt;
}

TensorNames::TensorNames(const Checkpoint& checkpoint, const Json& family)
    : checkpoint_(checkpoint), family_(family) {}

const StoredTensor* TensorNames::exactly(const std::string& name) const {
  const auto found = checkpoint_.tensors.find(name);
  return found == checkpoint_.tensors.end() ? nullptr : &found->second;
}

const StoredTensor* TensorNames::find(const std::string& name) const {
  if (const StoredTensor* tensor = exactly(prefix_ + name)) return tensor;
  // A head beside the body has no prefix of the body.
  if (const StoredTensor* tensor = exactly(name)) return tensor;
  if (!family_.contains("also")) return nullptr;
  for (const Json& rule : family_["also"]) {
    const auto parts = match_name(name, rule[0].get<std::string>());
    if (!parts) continue;
    const std::string other = with_parts(rule[1].get<std::string>(), *parts);
    if (const StoredTensor* tensor = exactly(prefix_ + other)) return tensor;
  }
  return nullptr;
}

bool TensorNames::choose_prefix(const Json& tensors) {
  const Json none = Json::array({""});
  for (const Json& prefix : family_.contains("prefixes") ? family_["prefixes"] : none) {
    prefix_ = prefix.get<std::string>();
    const bool all = std::ranges::all_of(
        tensors, [&](const Json& name) { return find(name.get<std::string>()) != nullptr; });
    if (all) return true;
  }
  return false;
}

bool TensorNames::is_ignored(const std::string& stored) const {
  return family_.contains("ignore") &&
         std::ranges::any_of(family_["ignore"], [&](const Json& pattern) {
           return match_name(stored, pattern.get<std::string>()).has_value();
         });
}

}  // namespace attend
