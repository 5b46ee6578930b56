// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What one place of a pattern matches: single characters, ranges, kinds of characters and other sets.
namespace attend {

enum class CharacterKind : std::uint8_t {
  letter,
  upper,
  lower,
  title,
  modifier,
  other_letter,
  mark,
  number,
  digit,
  punctuation,
  symbol,
  separator,
  space,
  word,
  han,  // the scripts, from here on
  hiragana,
  katakana,
  hangul,
  latin,
  cyrillic,
  greek,
  arabic,
  hebrew,
  devanagari,
  thai
};

// The kind that \p{name} means; nothing where it is not known here.
std::optional<CharacterKind> kind_named(std::string_view name);
bool is_of_kind(char32_t c, CharacterKind kind);

struct CharacterSet {
  struct Range {
    char32_t first, last;
  };
  struct Kind {
    CharacterKind kind;
    bool negated;
  };
  [[nodiscard]] bool has(char32_t c) const;

  bool negated = false, any_case = false;
  std::vector<Range> ranges;
  std::vector<Kind> kinds;
  std::vector<CharacterSet> sets;
  std::vector<CharacterSet> besides;  // each must have the character, too: [..&&..]

 private:
  [[nodiscard]] bool lists(char32_t c) const;
};

}  // namespace attend
