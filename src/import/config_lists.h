// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "experiment/text/json_parse.h"

namespace attend {

// A key of the config, or a path of keys with dots between; null where it is missing.
Json config_at(const Json& config, const std::string& key);
// Whether the config has the key itself, be it null.
bool is_given(const Json& config, const std::string& key);
// The number that a list repeats, such as [224, 224] for the sides of a square; any other value unchanged.
Json one_of_all(const Json& value);
// Models of text and pictures keep the settings of their text part in "text_config".
void take_text_settings(Json& config);

// Lists of a config with one entry a layer, in which [[a, b], 6] means a, b six times.

// How many entries there are; nothing where it is no list.
std::optional<std::uint64_t> entries_in(const Json& list);
// Entry i; null where there is none.
Json entry_of(const Json& list, std::uint64_t index);
// Whether every entry is one of these.
bool has_only(const Json& list, std::span<const Json> known);
// Whether the first `count` entries are the same in both.
bool alike(const Json& a, const Json& b, std::uint64_t count);

}  // namespace attend
