// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attend {

using Json = nlohmann::json;

inline constexpr std::size_t max_document_bytes = 8U << 20U;
inline constexpr std::size_t max_nesting = 64;

// Parses one JSON text. Throws Error naming the place (JSON pointer) for text that is not JSON, a
// name that occurs twice in one object, nesting beyond max_nesting, text beyond max_document_bytes,
// and names that would reach into a JavaScript prototype.
Json parse_json(std::string_view text);

// What a value is, for messages: "a string", "the number 3", "a list of 4".
std::string describe(const Json& value);

}  // namespace attend
