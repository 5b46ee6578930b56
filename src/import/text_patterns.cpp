// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "import/text_regex.h"
#include "import/text_units.h"
#include "import/tokenizer.h"

namespace attend {
namespace {

constexpr std::size_t most_kept = 32;

// Patterns that were read stay read, because a sequence of steps splits by them part for part.
const std::optional<TextRegex>& regex_of(std::string_view pattern) {
  static thread_local std::map<std::string, std::optional<TextRegex>, std::less<>> kept;
  const auto found = kept.find(pattern);
  if (found != kept.end()) return found->second;
  if (kept.size() == most_kept) kept.clear();
  return kept.emplace(std::string(pattern), TextRegex::read(pattern)).first->second;
}

}  // namespace

std::optional<std::vector<Stretch>> stretches_by_pattern(const std::string& text,
                                                         std::string_view pattern) {
  const std::optional<TextRegex>& regex = regex_of(pattern);
  if (!regex) return std::nullopt;
  const std::u32string all = characters_of(text);
  const auto between = [&](std::size_t begin, std::size_t end) {
    return utf8_of(std::u32string_view(all).substr(begin, end - begin));
  };
  std::vector<Stretch> list;
  std::size_t begin = 0;  // of what no match has taken
  for (std::size_t i = 0; i < all.size();) {
    const auto end = regex->match(all, i);
    if (!end || *end == i) {
      ++i;
      continue;
    }
    if (begin < i) list.push_back({between(begin, i), false});
    list.push_back({between(i, *end), true});
    begin = i = *end;
  }
  if (begin < all.size()) list.push_back({between(begin, all.size()), false});
  return list;
}

std::optional<std::vector<std::string>> split_by_pattern(const std::string& text,
                                                         std::string_view pattern) {
  auto stretches = stretches_by_pattern(text, pattern);
  if (!stretches) return std::nullopt;
  std::vector<std::string> parts;
  for (Stretch& one : *stretches) parts.push_back(std::move(one.text));
  return parts;
}

std::vector<std::string> split_like_gpt2(const std::string& text) {
  return *split_by_pattern(
      text, R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
}

}  // namespace attend
