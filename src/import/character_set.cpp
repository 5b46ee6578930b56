// SPDX-License-Identifier: Apache-2.0
#include "import/character_set.h"

#include <algorithm>
#include <array>
#include <utility>

#include "import/text_units.h"

namespace attend {
namespace {

constexpr std::array<std::pair<std::string_view, CharacterKind>, 26> kind_names{
    {{"L", CharacterKind::letter},
     {"Lu", CharacterKind::upper},
     {"Ll", CharacterKind::lower},
     {"Lt", CharacterKind::title},
     {"Lm", CharacterKind::modifier},
     {"Lo", CharacterKind::other_letter},
     {"M", CharacterKind::mark},
     {"N", CharacterKind::number},
     {"Nd", CharacterKind::digit},
     {"P", CharacterKind::punctuation},
     {"S", CharacterKind::symbol},
     {"Z", CharacterKind::separator},
     {"Letter", CharacterKind::letter},
     {"Number", CharacterKind::number},
     {"Punctuation", CharacterKind::punctuation},
     {"Han", CharacterKind::han},
     {"Hiragana", CharacterKind::hiragana},
     {"Katakana", CharacterKind::katakana},
     {"Hangul", CharacterKind::hangul},
     {"Latin", CharacterKind::latin},
     {"Cyrillic", CharacterKind::cyrillic},
     {"Greek", CharacterKind::greek},
     {"Arabic", CharacterKind::arabic},
     {"Hebrew", CharacterKind::hebrew},
     {"Devanagari", CharacterKind::devanagari},
     {"Thai", CharacterKind::thai}}};

}  // namespace

std::optional<CharacterKind> kind_named(std::string_view name) {
  for (const std::string_view before : {"Script=", "sc="})
    if (name.starts_with(before)) name.remove_prefix(before.size());
  for (const auto& [known, kind] : kind_names)
    if (known == name) return kind;
  return std::nullopt;
}

bool is_of_kind(char32_t c, CharacterKind kind) {
  switch (kind) {
    case CharacterKind::letter:
      return is_letter(c);
    case CharacterKind::upper:
    case CharacterKind::lower:
    case CharacterKind::title:
    case CharacterKind::modifier:
    case CharacterKind::other_letter:
      return is_letter(c) && letter_kind(c) == kind;
    case CharacterKind::mark:
      return is_any_mark(c);
    case CharacterKind::number:
      return is_number(c);
    case CharacterKind::digit:
      return is_digit(c);
    case CharacterKind::punctuation:
      return is_punctuation(c) && !is_symbol(c);
    case CharacterKind::symbol:
      return is_symbol(c);
    case CharacterKind::separator:
      return is_space(c) && c != 0x85 && (c >= 0x80 || c == U' ');
    case CharacterKind::space:
      return is_space(c);
    case CharacterKind::word:
      return is_letter(c) || is_any_mark(c) || is_digit(c) || c == U'_';
    default:
      return is_of_script(c, kind);
  }
}

bool CharacterSet::lists(char32_t c) const {
  const bool found =
      std::ranges::any_of(ranges,
                          [&](const Range& one) { return one.first <= c && c <= one.last; }) ||
      std::ranges::any_of(
          kinds, [&](const Kind& one) { return is_of_kind(c, one.kind) != one.negated; }) ||
      std::ranges::any_of(sets, [&](const CharacterSet& one) { return one.has(c); });
  return found && std::ranges::all_of(besides, [&](const CharacterSet& one) { return one.has(c); });
}

bool CharacterSet::has(char32_t c) const {
  bool found = lists(c);
  if (any_case && !found) {
    const std::u32string small = lower_of(c);
    const bool is_ascii = c >= U'a' && c <= U'z';
    found = (small.size() == 1 && lists(small.front())) || (is_ascii && lists(c - 0x20));
  }
  return found != negated;
}

}  // namespace attend
