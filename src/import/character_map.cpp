// SPDX-License-Identifier: Apache-2.0
#include "import/character_map.h"

#include <algorithm>

#include "import/text_units.h"

namespace attend {
namespace {

constexpr std::string_view base64_signs =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::optional<std::string> bytes_of_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = base64_signs.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffU);
  }
  return bytes;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i)
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return word;
}

// A unit of the double array holds the byte that leads to it, where its own bytes lead, and whether a key ends.
std::uint32_t offset_of(std::uint32_t unit) { return (unit >> 10U) << ((unit & 0x200U) >> 6U); }
std::uint32_t label_of(std::uint32_t unit) { return unit & 0x800000ffU; }
bool ends_key(std::uint32_t unit) { return (unit >> 8U & 1U) != 0; }

// Marks and joiners belong to the character before them.
bool joins_before(char32_t c) { return is_any_mark(c) || c == 0x200c || c == 0x200d; }

}  // namespace

std::optional<CharacterMap> CharacterMap::read(std::string_view base64) {
  const auto bytes = bytes_of_base64(base64);
  if (!bytes || bytes->size() < 4) return std::nullopt;
  const std::size_t size = word_at(*bytes, 0);
  if (size % 4 != 0 || size == 0 || size > bytes->size() - 4) return std::nullopt;
  CharacterMap map;
  for (std::size_t at = 4; at < 4 + size; at += 4) map.units_.push_back(word_at(*bytes, at));
  map.texts_ = bytes->substr(4 + size);
  return map;
}

std::optional<std::string_view> CharacterMap::replaced(std::string_view text) const {
  std::size_t node = offset_of(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    node ^= byte;
    if (byte == 0 || node >= units_.size() || label_of(units_[node]) != byte) return std::nullopt;
    const std::uint32_t unit = units_[node];
    node ^= offset_of(unit);
    if (node >= units_.size()) return std::nullopt;
    if (!ends_key(unit)) continue;
    const std::size_t begin = units_[node] & 0x7fffffffU;
    if (begin >= texts_.size()) return std::nullopt;
    const std::string_view rest = std::string_view(texts_).substr(begin);
    return rest.substr(0, rest.find('\0'));
  }
  return std::nullopt;
}

std::string CharacterMap::applied(std::string_view text) const {
  constexpr std::size_t shortest_cut =
      6;  // from so many bytes on, the parts of a character are looked up
  const std::u32string all = characters_of(text);
  std::string result;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    if (all[i] == U'\r' && end < all.size() && all[end] == U'\n') ++end;
    while (end < all.size() && joins_before(all[end])) ++end;
    const std::string whole = utf8_of(std::u32string_view(all).substr(i, end - i));
    const auto one = whole.size() < shortest_cut ? replaced(whole) : std::nullopt;
    if (one) result += *one;
    for (std::size_t k = i; !one && k < end; ++k) {
      const std::string single = utf8_of(all[k]);
      result += replaced(single).value_or(single);
    }
    i = end;
  }
  return result;
}

std::string base64_of(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? base64_signs[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

}  // namespace attend
