// SPDX-License-Identifier: Apache-2.0
#include "import/normal_forms.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "import/unicode_canonical.h"
#include "import/unicode_compatible.h"

namespace attend {
namespace {

// The syllables of Korean follow from their 19 first letters, 21 vowels and 27 last letters.
constexpr char32_t syllables = 0xac00, firsts = 0x1100, vowels = 0x1161, lasts = 0x11a7;
constexpr char32_t first_count = 19, vowel_count = 21, last_count = 28, syllable_count = 11172;

template <class Run>
const Run* run_of(std::span<const Run> runs, char32_t c) {
  const auto after = std::ranges::upper_bound(runs, c, {}, &Run::first);
  return after == runs.begin() ? nullptr : &*std::prev(after);
}

// None where the character has no parts of this kind.
std::span<const char32_t> parts_among(std::span<const unicode::PartsRun> runs,
                                      std::span<const char32_t> parts, char32_t c) {
  const unicode::PartsRun* const run = run_of(runs, c);
  if (run == nullptr || c - run->first >= run->count) return {};
  return parts.subspan(run->at + std::size_t{c - run->first} * run->length, run->length);
}

int order_of(char32_t c) {
  const auto* const run = run_of<unicode::CombiningRun>(unicode::combining, c);
  return run != nullptr && c <= run->last ? run->order : 0;
}

void append_parts(char32_t c, bool compatible, std::u32string& to) {
  if (c - syllables < syllable_count) {
    const char32_t at = c - syllables, last = at % last_count;
    to += firsts + at / last_count / vowel_count;
    to += vowels + at / last_count % vowel_count;
    if (last != 0) to += lasts + last;
    return;
  }
  auto parts = parts_among(unicode::canonical_runs, unicode::canonical_parts, c);
  if (parts.empty() && compatible)
    parts = parts_among(unicode::compatible_runs, unicode::compatible_parts, c);
  if (parts.empty()) to += c;
  for (const char32_t part : parts) append_parts(part, compatible, to);
}

using Pairs = std::map<std::pair<char32_t, char32_t>, char32_t>;

const Pairs& pairs() {
  static const Pairs all = [] {
    Pairs found;
    for (const unicode::PartsRun& run : unicode::canonical_runs) {
      for (unsigned i = 0; run.length == 2 && i < run.count; ++i) {
        const char32_t whole = run.first + i;
        const auto* const left = run_of<unicode::Range>(unicode::never_composed, whole);
        if (left != nullptr && whole <= left->last) continue;
        const std::size_t at = run.at + std::size_t{i} * 2;
        found[{unicode::canonical_parts[at], unicode::canonical_parts[at + 1]}] = whole;
      }
    }
    return found;
  }();
  return all;
}

// The character that two make; 0 where they make none.
char32_t joined(char32_t a, char32_t b) {
  if (a - firsts < first_count && b - vowels < vowel_count)
    return syllables + ((a - firsts) * vowel_count + (b - vowels)) * last_count;
  const bool open = a - syllables < syllable_count && (a - syllables) % last_count == 0;
  if (open && b > lasts && b < lasts + last_count) return a + (b - lasts);
  const auto found = pairs().find({a, b});
  return found == pairs().end() ? 0 : found->second;
}

}  // namespace

std::u32string decomposed(std::u32string_view text, bool compatible) {
  std::u32string result;
  for (const char32_t c : text) append_parts(c, compatible, result);
  for (auto at = result.begin(); at != result.end();) {
    if (order_of(*at) == 0) {
      ++at;
      continue;
    }
    const auto end = std::find_if(at, result.end(), [](char32_t c) { return order_of(c) == 0; });
    std::ranges::stable_sort(at, end, {}, order_of);
    at = end;
  }
  return result;
}

std::u32string composed(std::u32string_view text, bool compatible) {
  const std::u32string parts = decomposed(text, compatible);
  std::u32string result;
  std::size_t base = parts.size();  // where the last character begins that is no mark
  int before = 0;                   // the order of what was last kept behind it
  for (const char32_t c : parts) {
    const int order = order_of(c);
    const bool is_free = base < result.size() && (base + 1 == result.size() || before < order);
    const char32_t whole = is_free ? joined(result[base], c) : 0;
    if (whole != 0) {
      result[base] = whole;
      continue;
    }
    if (order == 0) base = result.size();
    before = order;
    result += c;
  }
  return result;
}

}  // namespace attend
