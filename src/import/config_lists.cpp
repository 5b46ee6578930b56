// SPDX-License-Identifier: Apache-2.0
#include "import/config_lists.h"

#include <algorithm>

namespace attend {
namespace {

// No model has so many layers; a config may claim any number of repeats.
constexpr std::uint64_t most_repeats = std::uint64_t{1} << 32U;

bool is_repeated(const Json& one) {
  return one.is_array() && one.size() == 2 && one[0].is_array() && !one[0].empty() &&
         one[1].is_number_unsigned();
}

std::uint64_t count_of(const Json& one) {
  return is_repeated(one) ? one[0].size() * std::min(one[1].get<std::uint64_t>(), most_repeats) : 1;
}

}  // namespace

Json config_at(const Json& config, const std::string& key) {
  if (config.contains(key)) return config[key];
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos || !config.contains(key.substr(0, dot))) return nullptr;
  const Json& inner = config[key.substr(0, dot)];
  return inner.is_object() ? config_at(inner, key.substr(dot + 1)) : Json();
}

bool is_given(const Json& config, const std::string& key) { return config.contains(key); }

Json one_of_all(const Json& value) {
  if (!value.is_array() || value.empty() || !value[0].is_number()) return value;
  const bool all = std::ranges::all_of(value, [&](const Json& one) { return one == value[0]; });
  return all ? value[0] : value;
}

void take_text_settings(Json& config) {
  const Json text = config.value("text_config", Json());
  if (!text.is_object()) return;
  for (const auto& [key, value] : text.items()) {
    if (key == "model_type" || !config.contains(key)) config[key] = value;
  }
}

std::optional<std::uint64_t> entries_in(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  std::uint64_t count = 0;
  for (const Json& one : list) count += count_of(one);
  return count;
}

Json entry_of(const Json& list, std::uint64_t index) {
  if (!list.is_array()) return nullptr;
  for (const Json& one : list) {
    const std::uint64_t count = count_of(one);
    if (index < count) return is_repeated(one) ? one[0][index % one[0].size()] : one;
    index -= count;
  }
  return nullptr;
}

bool has_only(const Json& list, std::span<const Json> known) {
  const auto is_known = [&](const Json& one) {
    return std::ranges::find(known, one) != known.end();
  };
  return list.is_array() && std::ranges::all_of(list, [&](const Json& one) {
           return is_repeated(one) ? std::ranges::all_of(one[0], is_known) : is_known(one);
         });
}

bool alike(const Json& a, const Json& b, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (entry_of(a, i) != entry_of(b, i)) return false;
  }
  return true;
}

}  // namespace attend
