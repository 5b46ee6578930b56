// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attend {

// SentencePiece's compiled table of what becomes of characters before a text is cut: a double array that finds a text
// by its bytes, and behind it the texts that replace it.
class CharacterMap {
 public:
  // Nothing where the text is no such table in base64.
  static std::optional<CharacterMap> read(std::string_view base64);
  [[nodiscard]] std::string applied(std::string_view text) const;

 private:
  // What replaces the shortest key with which the text begins, as the library tokenizers looks it up.
  [[nodiscard]] std::optional<std::string_view> replaced(std::string_view text) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

std::string base64_of(std::string_view bytes);

}  // namespace attend
