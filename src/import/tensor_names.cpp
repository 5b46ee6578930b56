// SPDX-License-Identifier: Apache-2.0
#include "import/tensor_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace attend {
namespace {

constexpr std::array<const char*, 5> wrappers{"", "_orig_mod.", "module.", "module._orig_mod.",
                                              "_orig_mod.module."};
// Every family is searched for behind every front, so a name with thousands of dots would take minutes.
constexpr std::size_t most_fronts = 8;
constexpr std::array<std::pair<const char*, const char*>, 8> effects_of_any_family{
    {{"*lora_*", "LoRA: a product of two narrow matrices that is added; merge it before saving"},
     {"*.SCB",
      "int8 of bitsandbytes: its matrices are multiplied by these scales; save the model dequantized"},
     {"*.weight_format", "int8 of bitsandbytes; save the model dequantized"},
     {"*_scale_inv", "FP8: the matrix is multiplied by these scales; save the model dequantized"},
     {"*.absmax", "4 bits of bitsandbytes; save the model dequantized"},
     {"*.quant_map", "4 bits of bitsandbytes; save the model dequantized"},
     {"*.ffn_gate_inp.*", "the router of a mixture of experts"},
     {"*crossattention*", "cross-attention: the model also reads an encoder"}}};

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

// What all tensors have in front of the last dot that they share: a training may wrap a model in another one.
std::string shared_front(const Checkpoint& checkpoint) {
  if (checkpoint.tensors.empty()) return "";
  // They are sorted, so the first and the last share what all share.
  const std::string& a = checkpoint.tensors.begin()->first;
  const std::string& b = checkpoint.tensors.rbegin()->first;
  const auto apart = std::ranges::mismatch(a, b);
  const std::string shared(a.begin(), apart.in1);
  return shared.substr(0, shared.find_last_of('.') + 1);
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
  // A head beside the body has no prefix of the body.
  const auto with_or_without = [&](const std::string& one) {
    const StoredTensor* tensor = exactly(wrapper_ + prefix_ + one);
    return tensor != nullptr ? tensor : exactly(wrapper_ + one);
  };
  if (const StoredTensor* tensor = with_or_without(name)) return tensor;
  if (!family_.contains("also")) return nullptr;
  for (const Json& rule : family_["also"]) {
    const auto parts = match_name(name, rule[0].get<std::string>());
    if (!parts) continue;
    const std::string other = with_parts(rule[1].get<std::string>(), *parts);
    if (const StoredTensor* tensor = with_or_without(other)) return tensor;
  }
  return nullptr;
}

bool TensorNames::choose_prefix(const Json& tensors) {
  const Json none = Json::array({""});
  std::vector<std::string> all_wrappers(wrappers.begin(), wrappers.end());
  // Every front of what they share: the family may have the rest of it as its own prefix.
  const std::string shared = shared_front(checkpoint_);
  const std::size_t most = all_wrappers.size() + most_fronts;
  for (std::size_t dot = shared.find('.'); dot != std::string::npos && all_wrappers.size() < most;
       dot = shared.find('.', dot + 1))
    all_wrappers.push_back(shared.substr(0, dot + 1));
  for (const std::string& wrapper : all_wrappers) {
    wrapper_ = wrapper;
    for (const Json& prefix : family_.contains("prefixes") ? family_["prefixes"] : none) {
      prefix_ = prefix.get<std::string>();
      const bool all = std::ranges::all_of(
          tensors, [&](const Json& name) { return find(name.get<std::string>()) != nullptr; });
      if (all) return true;
    }
  }
  return false;
}

bool TensorNames::recognise() {
  const Json& by = family_["recognise"];
  if (!choose_prefix(by["tensors"])) return false;
  return std::ranges::none_of(by.value("without", Json::array()), [&](const Json& name) {
    return find(name.get<std::string>()) != nullptr;
  });
}

std::string_view TensorNames::unwrapped(std::string_view stored) const {
  if (stored.starts_with(wrapper_)) stored.remove_prefix(wrapper_.size());
  return stored;
}

bool TensorNames::any(const std::string& pattern) const {
  return std::ranges::any_of(checkpoint_.tensors, [&](const auto& one) {
    return match_name(one.first, wrapper_ + prefix_ + pattern).has_value();
  });
}

bool TensorNames::matches(const std::string& stored, const char* list) const {
  return family_.contains(list) && std::ranges::any_of(family_[list], [&](const Json& pattern) {
           return match_name(unwrapped(stored), pattern.get<std::string>()).has_value();
         });
}

bool TensorNames::is_ignored(const std::string& stored) const {
  // What a training keeps beside a model, of any family.
  const bool kept = std::ranges::any_of(
      std::array{"optimizer*", "*scheduler.*", "*rng_state*"},
      [&](const char* pattern) { return match_name(stored, pattern).has_value(); });
  return kept || matches(stored, "ignore");
}

bool TensorNames::is_beside(const std::string& stored) const { return matches(stored, "beside"); }

std::string TensorNames::effect_of(const std::string& stored) const {
  for (const auto& [pattern, effect] : effects_of_any_family) {
    if (match_name(stored, pattern)) return effect;
  }
  if (!family_.contains("effects")) return "";
  for (const Json& rule : family_["effects"]) {
    if (match_name(unwrapped(stored), rule[0].get<std::string>())) return rule[1];
  }
  return "";
}

}  // namespace attend
