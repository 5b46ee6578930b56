// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace attend {

// Why two parts do not go together: "no-query"_reason is the id of a sentence in data/catalogue/LANGUAGE/reasons.json.
// The build reads the ids from the sources by this literal and stops where one has no sentence (cmake/words.cmake).
consteval std::string_view operator""_reason(const char* id, std::size_t size) {
  return {id, size};
}

}  // namespace attend
