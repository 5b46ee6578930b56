// SPDX-License-Identifier: Apache-2.0
#include "training/own_data.h"

#include <algorithm>

#include "ops/error.h"

namespace attend {
namespace {

constexpr std::string_view blank = " \t\r\v\f";
const std::string here = "/text";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// The beginning of a line, for a message; cut between characters.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 30;
  std::size_t end = std::min(text.size(), longest);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return "\"" + std::string(text.substr(0, end)) + (end < text.size() ? "..." : "") + "\"";
}

// A mark that belongs to the character before it: accents, Arabic and Hebrew vowels, joiners, variants.
bool is_mark(std::uint32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0x591 && c <= 0x5BD) || (c >= 0x64B && c <= 0x65F) ||
         c == 0x670 || c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F);
}

std::string seen(std::string_view character) {
  if (character == " ") return "␣";
  if (character == "\t") return "⇥";
  if (character == "\n") return "↵";
  return std::string(character);
}

}  // namespace

std::vector<TextLine> lines_of(std::string_view text) {
  if (text.size() > most_bytes)
    refuse(here, "it has " + std::to_string(text.size()) + " bytes; at most " +
                     std::to_string(most_bytes) + " are allowed: use part of it");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark of some editors
  const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
                     (!text.empty() && text.back() != '\n' ? 1 : 0);
  if (count > most_lines)
    refuse(here, "it has " + std::to_string(count) + " lines; at most " +
                     std::to_string(most_lines) + " are allowed: use part of it");
  std::vector<TextLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!trimmed(line).empty()) lines.push_back({number, line});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines.empty()) refuse(here, "expected text, found nothing: paste some, or name a file");
  return lines;
}

std::pair<std::string_view, std::string_view> at_tab(const TextLine& line, std::string_view left,
                                                     std::string_view right) {
  const std::string where = "line " + std::to_string(line.number) + ", " + shown(line.text) + ": ";
  const std::string expected =
      "expected " + std::string(left) + ", a tab, and " + std::string(right);
  const auto tabs = std::count(line.text.begin(), line.text.end(), '\t');
  if (tabs != 1)
    refuse(here,
           where + expected + "; found " + (tabs == 0 ? "no tab" : std::to_string(tabs) + " tabs"));
  const std::size_t tab = line.text.find('\t');
  const std::string_view before = trimmed(line.text.substr(0, tab)),
                         after = trimmed(line.text.substr(tab + 1));
  if (before.empty()) refuse(here, where + expected + "; found nothing before the tab");
  if (after.empty()) refuse(here, where + expected + "; found nothing after the tab");
  return {before, after};
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return words;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(blank), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::vector<std::string> characters_in(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    bytes = std::min(bytes, text.size() - i);
    std::uint32_t code = bytes == 1 ? first : first & (0xFFU >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k)
      code = (code << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    const std::string_view character = text.substr(i, bytes);
    i += bytes;
    if (is_mark(code) && !characters.empty())
      characters.back() += character;
    else if (character != "\r")
      characters.push_back(seen(character));
  }
  return characters;
}

std::vector<std::string> tokens_by(const TaskSettings& settings, std::string_view text) {
  const std::string& by = settings.text("by");
  if (by == "characters") return characters_in(text);
  if (!by.empty() && by != "words")
    refuse("/by", "expected words or characters, found \"" + by + "\"");
  return words_in(text);
}

std::vector<std::uint16_t> ListedSource::placed(std::size_t field,
                                                const std::vector<std::string>& tokens) {
  std::vector<std::uint16_t> places;
  for (const std::string& token : tokens) {
    const auto [at, fresh] =
        places_[field].emplace(token, static_cast<std::uint16_t>(words_[field].size()));
    if (fresh) words_[field].push_back(token);
    places.push_back(at->second);
    if (words_[field].size() > most_words + 3)
      refuse(here, "it has more than " + std::to_string(most_words) +
                       " different words; use part of it, or read it by characters");
  }
  return places;
}

void ListedSource::add(std::vector<std::uint16_t> source, std::vector<std::uint16_t> target) {
  Example example;
  example.fields.resize(2);
  example.fields[0].words = std::move(source);
  example.fields[1].words = std::move(target);
  examples_.push_back(std::move(example));
}

void ListedSource::check_enough(std::string_view what) const {
  const auto other = [&](const Example& one) {
    return one.fields[0].words != examples_.front().fields[0].words;
  };
  if (std::none_of(examples_.begin(), examples_.end(), other))
    refuse(here, "expected at least two different " + std::string(what) +
                     ", because some are held out; found " +
                     (examples_.size() == 1 ? "one" : "the same one in every line"));
}

std::optional<Example> ListedSource::answer(const std::vector<std::string>& source) const {
  std::vector<std::uint16_t> places;
  for (const std::string& token : source) {
    const auto found = places_[0].find(token);
    if (found == places_[0].end()) return std::nullopt;
    places.push_back(found->second);
  }
  const auto found = std::find_if(examples_.begin(), examples_.end(),
                                  [&](const Example& e) { return e.fields[0].words == places; });
  return found == examples_.end() ? std::nullopt : std::optional(*found);
}

}  // namespace attend
