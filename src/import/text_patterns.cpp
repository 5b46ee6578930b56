// SPDX-License-Identifier: Apache-2.0
// The patterns by which published tokenizers split a text, each as a walk over its characters.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "import/text_units.h"
#include "import/tokenizer.h"

namespace attend {
namespace {

using Parts = std::vector<std::string>;
using Characters = std::u32string_view;

enum class Kind : std::uint8_t { space, letter, number, other };

Kind kind_of(char32_t c) {
  if (is_letter(c)) return Kind::letter;
  if (is_number(c)) return Kind::number;
  return is_space(c) ? Kind::space : Kind::other;
}

bool is_break(char32_t c) { return c == U'\r' || c == U'\n'; }

// Behind the characters of one kind that begin here.
std::size_t end_of_run(Characters all, std::size_t i, Kind kind) {
  while (i < all.size() && kind_of(all[i]) == kind) ++i;
  return i;
}

// How many characters 's, 't, 're, 've, 'm, 'll or 'd has here; 0 where none of them begins.
std::size_t contraction_at(Characters all, std::size_t i, bool any_case) {
  if (all[i] != U'\'') return 0;
  std::u32string rest(all.substr(i + 1, 2));
  if (any_case) {
    for (char32_t& c : rest) c = c < 0x80 ? lower_of(c).front() : c;
  }
  for (const Characters two : {U"re", U"ve", U"ll"})
    if (rest.starts_with(two)) return 3;
  for (const Characters one : {U"s", U"t", U"m", U"d"})
    if (rest.starts_with(one)) return 2;
  return 0;
}

// White space from here on: its last character belongs to the word behind it, if there is one.
std::size_t end_of_space(Characters all, std::size_t i) {
  const std::size_t end = end_of_run(all, i, Kind::space);
  return end < all.size() && end - i > 1 ? end - 1 : end;
}

std::size_t next_of_gpt2(Characters all, std::size_t i) {
  const std::size_t contraction = contraction_at(all, i, false);
  if (contraction != 0) return i + contraction;
  const bool ahead = all[i] == U' ' && i + 1 < all.size() && kind_of(all[i + 1]) != Kind::space;
  const std::size_t word = ahead ? i + 1 : i;
  const Kind kind = kind_of(all[word]);
  return kind == Kind::space ? end_of_space(all, i) : end_of_run(all, word, kind);
}

// What Llama 3 and Qwen 2 share; they differ in how many digits stay together.
std::size_t next_of_llama3(Characters all, std::size_t i, std::size_t digits) {
  const std::size_t contraction = contraction_at(all, i, true);
  if (contraction != 0) return i + contraction;
  const Kind kind = kind_of(all[i]);
  if (kind == Kind::letter) return end_of_run(all, i, kind);
  const bool word_follows = i + 1 < all.size() && kind_of(all[i + 1]) == Kind::letter;
  if (kind != Kind::number && !is_break(all[i]) && word_follows)
    return end_of_run(all, i + 1, Kind::letter);
  if (kind == Kind::number) return std::min(end_of_run(all, i, kind), i + digits);
  const bool sign_follows =
      all[i] == U' ' && i + 1 < all.size() && kind_of(all[i + 1]) == Kind::other;
  if (kind == Kind::other || sign_follows) {
    std::size_t end = end_of_run(all, sign_follows ? i + 1 : i, Kind::other);
    while (end < all.size() && is_break(all[end])) ++end;
    return end;
  }
  // White space up to its last line break, if it has one.
  for (std::size_t end = end_of_run(all, i, Kind::space); end > i; --end) {
    if (is_break(all[end - 1])) return end;
  }
  return end_of_space(all, i);
}

// Runs of one sort of character of at most so many, and what is between them.
template <class Belongs>
std::size_t next_of_runs(Characters all, std::size_t i, std::size_t most, Belongs belongs) {
  const bool in = belongs(all[i]);
  std::size_t end = i + 1;
  while (end < all.size() && belongs(all[end]) == in && (!in || end - i < most)) ++end;
  return end;
}

// Of ASCII, is_punctuation() takes symbols too, and the pattern lists all of them but one.
bool is_sign(char32_t c) { return c != U'`' && is_punctuation(c); }

struct Pattern {
  std::string_view text;
  std::size_t (*next)(Characters all, std::size_t i);
};
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// The last three, in this order around GPT-2's, are what llama.cpp takes where a GGUF file names no pattern.
constexpr std::array<Pattern, 6> patterns{{
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", next_of_gpt2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
     [](Characters all, std::size_t i) { return next_of_llama3(all, i, 3); }},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
     [](Characters all, std::size_t i) { return next_of_llama3(all, i, 1); }},
    {R"([\p{P}\$\+<=>\^~\|]+)",
     [](Characters all, std::size_t i) { return next_of_runs(all, i, no_limit, is_sign); }},
    {R"(\p{N}+)",
     [](Characters all, std::size_t i) { return next_of_runs(all, i, no_limit, is_number); }},
    {R"([0-9][0-9][0-9])",
     [](Characters all, std::size_t i) {
       return next_of_runs(all, i, 3, [](char32_t c) { return c >= U'0' && c <= U'9'; });
     }},
}};

Parts split_by(const Pattern& pattern, const std::string& text) {
  const std::u32string all = characters_of(text);
  Parts parts;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t end = pattern.next(all, i);
    parts.push_back(utf8_of(Characters(all).substr(i, end - i)));
    i = end;
  }
  return parts;
}

}  // namespace

std::optional<Parts> split_by_pattern(const std::string& text, std::string_view pattern) {
  for (const Pattern& one : patterns) {
    if (one.text == pattern) return split_by(one, text);
  }
  return std::nullopt;
}

Parts split_like_gpt2(const std::string& text) { return split_by(patterns.front(), text); }

}  // namespace attend
