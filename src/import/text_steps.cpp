// SPDX-License-Identifier: Apache-2.0
// What a tokenizer does to a text before its model sees it: normalise, then split.
#include <algorithm>

#include "import/character_map.h"
#include "import/normal_forms.h"
#include "import/text_units.h"
#include "import/tokenizer.h"
#include "ops/error.h"

namespace attend {
namespace {

using Parts = std::vector<std::string>;

const std::string space_sign = "\xe2\x96\x81";  // the sign for a space

std::string step_type(const Json& step) {
  return step.is_object() && step.contains("type") && step["type"].is_string()
             ? step["type"].get<std::string>()
             : "";
}

std::string text_of(const Json& step, const char* name) {
  const Json value = step.is_object() ? step.value(name, Json()) : Json();
  return value.is_string() ? value.get<std::string>() : "";
}

std::string replaced(std::string_view text, const std::string& from, const std::string& to) {
  if (from.empty()) return std::string(text);
  std::string result;
  for (std::size_t at = 0;;) {
    const std::size_t found = text.find(from, at);
    result += text.substr(at, found - at);
    if (found == std::string_view::npos) return result;
    result += to;
    at = found + from.size();
  }
}

std::string in_lower_case(std::u32string_view text) {
  std::u32string result;
  for (const char32_t c : text) result += lower_of(c);
  return utf8_of(result);
}

// Marks that stand by themselves; letters that are one character with their accent need NFD before.
std::string without_marks(std::u32string text) {
  std::erase_if(text, is_any_mark);
  return utf8_of(text);
}

std::string like_bert(const std::string& text, const Json& step) {
  const bool lower = flag_of(step, "lowercase", true);
  const bool strip = flag_of(step, "strip_accents", lower);
  const bool cleans = flag_of(step, "clean_text", true);
  const bool chinese = flag_of(step, "handle_chinese_chars", true);
  std::u32string clean;
  for (const char32_t c : characters_of(text)) {
    if (cleans) {
      if (c == 0 || c == 0xfffd || is_control(c)) continue;
      if (is_space(c)) {
        clean += U' ';
        continue;
      }
    }
    const bool apart = chinese && is_ideograph(c);
    if (apart) clean += U' ';
    clean += c;
    if (apart) clean += U' ';
  }
  if (strip) {
    clean = decomposed(clean, false);
    std::erase_if(clean, is_mark);
  }
  return lower ? in_lower_case(clean) : utf8_of(clean);
}

std::string replaced_by_step(const std::string& text, const Json& step) {
  const Json pattern = step.value("pattern", Json());
  if (pattern.is_object() && pattern.contains("String"))
    return replaced(text, text_of(pattern, "String"), text_of(step, "content"));
  if (auto stretches = stretches_by_pattern(text, text_of(pattern, "Regex"))) {
    std::string result;
    for (Stretch& one : *stretches)
      result += one.matches ? text_of(step, "content") : std::move(one.text);
    return result;
  }
  throw UnknownTokenizer("the tokenizer replaces text by an unknown pattern: " + pattern.dump());
}

// SentencePiece's table. A tokenizer without one at least makes spaces of white space.
std::string by_table(const std::string& text, const Json& step) {
  const std::string table = text_of(step, "precompiled_charsmap");
  if (table.empty()) {
    std::u32string result;
    for (const char32_t c : characters_of(text)) result += is_space(c) ? U' ' : c;
    return utf8_of(result);
  }
  static thread_local std::pair<std::string, std::optional<CharacterMap>> kept;
  if (kept.first != table) kept = {table, CharacterMap::read(table)};
  if (!kept.second) refuse("", "the tokenizer's \"precompiled_charsmap\" is not a table in base64");
  return kept.second->applied(text);
}

// Pieces of one kind each, by what `kind` says of a character; kind 0 is dropped.
template <class KindOf>
Parts by_kind(const std::string& text, KindOf kind, int alone) {
  Parts parts;
  int before = 0;
  for (const char32_t c : characters_of(text)) {
    const int now = kind(c);
    if (now != 0 && now == before && now != alone) {
      parts.back() += utf8_of(c);
    } else if (now != 0) {
      parts.push_back(utf8_of(c));
    }
    before = now;
  }
  return parts;
}

std::string as_stand_ins(const std::string& text) {
  std::string result;
  for (const char c : text) result += utf8_of(stand_in_of(static_cast<unsigned char>(c)));
  return result;
}

// Each space begins a new part, and is written as a block.
Parts by_blocks(const std::string& text, const Json& step, bool first) {
  const std::string scheme = step.contains("prepend_scheme") ? text_of(step, "prepend_scheme")
                             : flag_of(step, "add_prefix_space", true) ? "always"
                                                                       : "never";
  std::string whole = replaced(text, " ", space_sign);
  if ((scheme == "always" || (scheme == "first" && first)) && !whole.starts_with(space_sign))
    whole = space_sign + whole;
  if (!flag_of(step, "split", true)) return {whole};
  Parts parts;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t next = std::min(whole.find(space_sign, at + 1), whole.size());
    parts.push_back(whole.substr(at, next - at));
    at = next;
  }
  return parts;
}

Parts of_bytes(const std::string& text, const Json& step) {
  const bool prefix = flag_of(step, "add_prefix_space", false) && !text.starts_with(" ");
  const std::string whole = (prefix ? " " : "") + text;
  Parts parts = flag_of(step, "use_regex", true) ? split_like_gpt2(whole) : Parts{whole};
  for (std::string& part : parts) part = as_stand_ins(part);
  return parts;
}

// The text cut before and after each occurrence of `searched`, which is not empty.
std::vector<Stretch> stretches_of(std::string_view text, std::string_view searched) {
  std::vector<Stretch> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(searched, at), text.size());
    if (next > at) list.push_back({std::string(text.substr(at, next - at)), false});
    if (next < text.size()) list.push_back({std::string(searched), true});
    at = next + searched.size();
  }
  return list;
}

// What "Split" makes of what matches and what lies between; nothing where it does not know the way.
std::optional<Parts> kept_parts(std::vector<Stretch> stretches, std::string_view behaviour,
                                bool inverted) {
  const bool to_previous = behaviour == "MergedWithPrevious",
             to_next = behaviour == "MergedWithNext", together = behaviour == "Contiguous",
             removed = behaviour == "Removed";
  if (!(to_previous || to_next || together || removed || behaviour == "Isolated" ||
        behaviour.empty()))
    return std::nullopt;
  Parts parts;
  bool before = false;  // whether the stretch before matches
  for (bool first = true; Stretch & one : stretches) {
    if (inverted) one.matches = !one.matches;
    const bool joins =
        !first && ((to_previous && one.matches && !before) || (to_next && !one.matches && before) ||
                   (together && one.matches == before));
    first = false;
    before = one.matches;
    if (joins)
      parts.back() += one.text;
    else if (!removed || !one.matches)
      parts.push_back(std::move(one.text));
  }
  return parts;
}

Parts by_pattern(const std::string& text, const Json& step) {
  const Json pattern = step.value("pattern", Json());
  const std::string behaviour = text_of(step, "behavior");
  const bool inverted = flag_of(step, "invert", false);
  const bool searches = pattern.is_object() && pattern.contains("String");
  const std::string words = text_of(pattern, searches ? "String" : "Regex");
  std::optional<std::vector<Stretch>> stretches;
  if (searches && !words.empty()) stretches = stretches_of(text, words);
  if (!searches) stretches = stretches_by_pattern(text, words);
  if (stretches) {
    if (auto parts = kept_parts(std::move(*stretches), behaviour, inverted)) return *parts;
  }
  throw UnknownTokenizer("the tokenizer splits text by an unknown pattern: " +
                         (stretches ? step : pattern).dump());
}

// Punctuation, by the behaviour of "Split".
Parts by_punctuation(const std::string& text, const Json& step) {
  std::vector<Stretch> stretches;
  for (const char32_t c : characters_of(text)) {
    const bool sign = is_punctuation(c);
    if (!sign && !stretches.empty() && !stretches.back().matches)
      stretches.back().text += utf8_of(c);
    else
      stretches.push_back({utf8_of(c), sign});
  }
  auto parts = kept_parts(std::move(stretches), text_of(step, "behavior"), false);
  if (!parts) throw UnknownTokenizer("the tokenizer splits at punctuation by " + step.dump());
  return *parts;
}

}  // namespace

Json steps_of(const Json& step, const char* name) {
  Json list = step.value(name, Json());
  if (!list.is_array())
    refuse("", "the tokenizer's sequence should have a list \"" + std::string(name) + "\", found " +
                   describe(list));
  return list;
}

bool flag_of(const Json& step, const char* name, bool otherwise) {
  const Json flag = step.is_object() ? step.value(name, Json()) : Json();
  if (!flag.is_null() && !flag.is_boolean())
    refuse("", "the tokenizer's \"" + std::string(name) + "\" should be true or false, found " +
                   describe(flag));
  return flag.is_null() ? otherwise : flag.get<bool>();
}

bool has_step(const Json& step, std::string_view type) {
  if (step_type(step) == type) return true;
  for (const char* const list : {"normalizers", "pretokenizers", "decoders", "processors"}) {
    if (!step.is_object() || !step.contains(list)) continue;
    if (std::ranges::any_of(step[list], [&](const Json& one) { return has_step(one, type); }))
      return true;
  }
  return false;
}

std::string normalised(std::string text, const Json& step) {
  if (step.is_null()) return text;
  const std::string type = step_type(step);
  if (type == "Sequence") {
    for (const Json& one : steps_of(step, "normalizers")) text = normalised(std::move(text), one);
    return text;
  }
  if (type == "BertNormalizer") return like_bert(text, step);
  if (type == "Lowercase") return in_lower_case(characters_of(text));
  if (type == "StripAccents") return without_marks(characters_of(text));
  if (type == "Prepend") return text.empty() ? text : text_of(step, "prepend") + text;
  if (type == "Replace") return replaced_by_step(text, step);
  if (type == "Strip") {
    const std::size_t begin =
        flag_of(step, "strip_left", true) ? text.find_first_not_of(" \t\r\n") : 0;
    if (begin == std::string::npos) return "";
    const std::size_t end =
        flag_of(step, "strip_right", true) ? text.find_last_not_of(" \t\r\n") + 1 : text.size();
    return text.substr(begin, end - begin);
  }
  if (type == "NFC" || type == "NFKC")
    return utf8_of(composed(characters_of(text), type == "NFKC"));
  if (type == "NFD" || type == "NFKD")
    return utf8_of(decomposed(characters_of(text), type == "NFKD"));
  if (type == "Precompiled") return by_table(text, step);
  throw UnknownTokenizer("the tokenizer normalises with \"" + type + "\", which is not known");
}

std::vector<std::string> split_text(const std::string& text, const Json& step, bool first) {
  if (step.is_null()) return {text};
  const std::string type = step_type(step);
  if (type == "Sequence") {
    Parts parts{text};
    for (const Json& one : steps_of(step, "pretokenizers")) {
      Parts next;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::string& part : split_text(parts[i], one, first && i == 0))
          next.push_back(std::move(part));
      }
      parts = std::move(next);
    }
    return parts;
  }
  if (type == "ByteLevel") return of_bytes(text, step);
  if (type == "Metaspace") return by_blocks(text, step, first);
  if (type == "Split") return by_pattern(text, step);
  if (type == "WhitespaceSplit")
    return by_kind(
        text, [](char32_t c) { return is_space(c) ? 0 : 1; }, 2);
  if (type == "BertPreTokenizer")
    return by_kind(
        text, [](char32_t c) { return is_space(c)         ? 0
                                      : is_punctuation(c) ? 2
                                                          : 1; }, 2);
  if (type == "Punctuation") return by_punctuation(text, step);
  if (type == "Whitespace")
    return by_kind(
        text,
        [](char32_t c) {
          return is_space(c) ? 0 : is_letter(c) || is_number(c) || c == '_' ? 1 : 3;
        },
        2);
  if (type == "Digits")
    return by_kind(
        text, [](char32_t c) { return is_number(c) ? 2 : 1; },
        flag_of(step, "individual_digits", false) ? 2 : 0);
  throw UnknownTokenizer("the tokenizer splits with \"" + type + "\", which is not known");
}

}  // namespace attend
