// SPDX-License-Identifier: Apache-2.0
#include "import/text_units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "import/unicode_folds.h"
#include "import/unicode_kinds.h"
#include "import/unicode_letters.h"
#include "import/unicode_scripts.h"

namespace attend {
namespace {

constexpr char32_t replacement = 0xfffd;

bool is_within(std::span<const unicode::Range> ranges, char32_t c) {
  const auto after = std::ranges::upper_bound(ranges, c, {}, &unicode::Range::first);
  return after != ranges.begin() && c <= std::prev(after)->last;
}

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }

struct StandIns {
  std::array<char32_t, 256> of_byte{};
  StandIns() {
    char32_t next = 256;
    for (char32_t b = 0; b < 256; ++b) {
      const bool printed = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
      of_byte[b] = printed ? b : next++;
    }
  }
};
const StandIns& stand_ins() {
  static const StandIns table;
  return table;
}

}  // namespace

namespace {

// Calls `take` with each character of UTF-8, and `broken` with each byte that belongs to none.
template <class Take, class Broken>
void each_character(std::string_view text, Take take, Broken broken) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    char32_t c = length == 1 ? lead : length == 0 ? 0 : lead & (0x7fU >> length);
    bool whole = length != 0 && i + length <= text.size();
    for (std::size_t k = 1; whole && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      whole = (next & 0xc0U) == 0x80;
      c = c << 6U | (next & 0x3fU);
    }
    if (whole)
      take(c);
    else
      broken(lead);
    i += whole ? length : 1;
  }
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string list;
  each_character(
      text, [&](char32_t c) { list += c; }, [&](unsigned char) { list += replacement; });
  return list;
}

std::string shown_bytes(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  const auto spell = [&](unsigned char byte) {
    text += {'<', '0', 'x', digits[byte >> 4U], digits[byte & 15U], '>'};
  };
  each_character(
      bytes, [&](char32_t c) { text += utf8_of(c); }, spell);
  return text;
}

bool is_whole_text(std::string_view bytes) {
  bool whole = true;
  each_character(
      bytes, [](char32_t) {}, [&](unsigned char) { whole = false; });
  return whole;
}

std::string utf8_of(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](unsigned shift) { return byte(0x80U | (c >> shift & 0x3fU)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0U | c >> 6U), tail(0)};
  if (c < 0x10000) return {byte(0xe0U | c >> 12U), tail(6), tail(0)};
  return {byte(0xf0U | c >> 18U), tail(12), tail(6), tail(0)};
}

std::string utf8_of(std::u32string_view text) {
  std::string bytes;
  for (const char32_t c : text) bytes += utf8_of(c);
  return bytes;
}

bool is_letter(char32_t c) {
  return c < 0x80 ? is_ascii_letter(c) : is_within(unicode::letters, c);
}
bool is_number(char32_t c) { return c < 0x80 ? is_ascii_digit(c) : is_within(unicode::numbers, c); }
bool is_mark(char32_t c) { return c >= 0x80 && is_within(unicode::marks, c); }
bool is_any_mark(char32_t c) {
  return is_mark(c) || (c >= 0x80 && is_within(unicode::spacing_marks, c));
}
bool is_digit(char32_t c) { return c < 0x80 ? is_ascii_digit(c) : is_within(unicode::digits, c); }
bool is_symbol(char32_t c) {
  if (c < 0x80)
    return std::string_view("$+<=>^`|~").find(static_cast<char>(c)) != std::string::npos;
  return is_within(unicode::symbols, c);
}

CharacterKind letter_kind(char32_t c) {
  if (c < 0x80) return c >= U'a' ? CharacterKind::lower : CharacterKind::upper;
  if (is_within(unicode::other_letters, c)) return CharacterKind::other_letter;
  if (is_within(unicode::upper_letters, c)) return CharacterKind::upper;
  if (is_within(unicode::modifier_letters, c)) return CharacterKind::modifier;
  return is_within(unicode::title_letters, c) ? CharacterKind::title : CharacterKind::lower;
}

bool is_of_script(char32_t c, CharacterKind script) {
  using enum CharacterKind;
  if (c < 0x80) return script == latin && is_ascii_letter(c);
  switch (script) {
    case han:
      return is_within(unicode::han, c);
    case hiragana:
      return is_within(unicode::hiragana, c);
    case katakana:
      return is_within(unicode::katakana, c);
    case hangul:
      return is_within(unicode::hangul, c);
    case latin:
      return is_within(unicode::latin, c);
    case cyrillic:
      return is_within(unicode::cyrillic, c);
    case greek:
      return is_within(unicode::greek, c);
    case arabic:
      return is_within(unicode::arabic, c);
    case hebrew:
      return is_within(unicode::hebrew, c);
    case devanagari:
      return is_within(unicode::devanagari, c);
    case thai:
      return is_within(unicode::thai, c);
    default:
      return false;
  }
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || is_within(unicode::separators, c);
}

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c < 0xa0) ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || c == 0xfeff;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7f && !is_ascii_letter(c) && !is_ascii_digit(c);
  return is_within(unicode::punctuation, c);
}

bool is_ideograph(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) ||
         (c >= 0x20000 && c <= 0x2ceaf) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x2f800 && c <= 0x2fa1f);
}

std::u32string lower_of(char32_t c) {
  if (c < 0x80) return {c >= 'A' && c <= 'Z' ? c + 0x20 : c};
  if (c == 0x130) return {U'i', 0x307};  // the one letter whose lower case is two characters
  const auto after = std::ranges::upper_bound(unicode::lower, c, {}, &unicode::LowerRun::first);
  if (after == unicode::lower.begin()) return {c};
  const unicode::LowerRun& run = *std::prev(after);
  const bool within = c <= run.last && (c - run.first) % static_cast<char32_t>(run.step) == 0;
  return {within ? static_cast<char32_t>(static_cast<std::int64_t>(c) + run.by) : c};
}

char32_t stand_in_of(unsigned char byte) { return stand_ins().of_byte[byte]; }

int byte_of(char32_t stand_in) {
  const auto& table = stand_ins().of_byte;
  const auto found = std::ranges::find(table, stand_in);
  return found == table.end() ? -1 : static_cast<int>(found - table.begin());
}

}  // namespace attend
