// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "experiment/text/json_parse.h"

namespace attend {

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
