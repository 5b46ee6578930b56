// SPDX-License-Identifier: Apache-2.0
// What a tokenizer does to a text before its model sees it: normalise, then split.
#include <algorithm>

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

std::u32string without_accents(const std::u32string& text, bool lower, bool strip) {
  std::u32string result;
  for (const char32_t c : text) {
    if (strip && is_mark(c)) continue;
    const char32_t plain = folded(c);
    // The table folds both at once; in ASCII there are no accents.
    result += (c < 0x80 ? lower : strip) ? plain : c;
  }
  return result;
}

std::string like_bert(const std::string& text, const Json& step) {
  const bool lower = step.value("lowercase", true);
  const Json strip = step.value("strip_accents", Json());
  std::u32string clean;
  for (const char32_t c : characters_of(text)) {
    if (step.value("clean_text", true)) {
      if (c == 0 || c == 0xfffd || is_control(c)) continue;
      if (is_space(c)) {
        clean += U' ';
        continue;
      }
    }
    const bool apart = step.value("handle_chinese_chars", true) && is_ideograph(c);
    if (apart) clean += U' ';
    clean += c;
    if (apart) clean += U' ';
  }
  return utf8_of(without_accents(clean, lower, strip.is_boolean() ? strip.get<bool>() : lower));
}

std::string replaced_by_step(const std::string& text, const Json& step) {
  const Json pattern = step.value("pattern", Json());
  if (pattern.is_object() && pattern.contains("String"))
    return replaced(text, text_of(pattern, "String"), text_of(step, "content"));
  // The one pattern that occurs: several spaces become one.
  if (text_of(pattern, "Regex") == " {2,}") {
    std::string result;
    for (const char c : text) {
      if (c != ' ' || result.empty() || result.back() != ' ') result += c;
    }
    return result;
  }
  refuse("", "the tokenizer replaces by a pattern that is not known: " + pattern.dump());
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

// Each space begins a new part, and stands as a block.
Parts by_blocks(const std::string& text, const Json& step, bool first) {
  const std::string scheme = step.contains("prepend_scheme") ? text_of(step, "prepend_scheme")
                             : step.value("add_prefix_space", true) ? "always"
                                                                    : "never";
  std::string whole = replaced(text, " ", space_sign);
  if ((scheme == "always" || (scheme == "first" && first)) && !whole.starts_with(space_sign))
    whole = space_sign + whole;
  if (!step.value("split", true)) return {whole};
  Parts parts;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t next = std::min(whole.find(space_sign, at + 1), whole.size());
    parts.push_back(whole.substr(at, next - at));
    at = next;
  }
  return parts;
}

Parts of_bytes(const std::string& text, const Json& step, bool first) {
  const bool prefix = step.value("add_prefix_space", false) && first && !text.starts_with(" ");
  const std::string whole = (prefix ? " " : "") + text;
  Parts parts = step.value("use_regex", true) ? split_like_gpt2(whole) : Parts{whole};
  for (std::string& part : parts) part = as_stand_ins(part);
  return parts;
}

Parts by_pattern(const std::string& text, const Json& step) {
  const Json pattern = step.value("pattern", Json());
  const std::string known =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  if (text_of(pattern, "Regex") == known) return split_like_gpt2(text);
  refuse("", "the tokenizer splits by a pattern that is not known natively: " + pattern.dump() +
                 "; give token numbers with --ids");
}

}  // namespace

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
    for (const Json& one : step["normalizers"]) text = normalised(std::move(text), one);
    return text;
  }
  if (type == "BertNormalizer") return like_bert(text, step);
  if (type == "Lowercase") return utf8_of(without_accents(characters_of(text), true, false));
  if (type == "StripAccents") return utf8_of(without_accents(characters_of(text), false, true));
  if (type == "Prepend") return text.empty() ? text : text_of(step, "prepend") + text;
  if (type == "Replace") return replaced_by_step(text, step);
  if (type == "Strip") {
    const std::size_t begin =
        step.value("strip_left", true) ? text.find_first_not_of(" \t\r\n") : 0;
    if (begin == std::string::npos) return "";
    const std::size_t end =
        step.value("strip_right", true) ? text.find_last_not_of(" \t\r\n") + 1 : text.size();
    return text.substr(begin, end - begin);
  }
  // Composed characters are what keyboards write; a text that is decomposed gets other pieces here.
  if (type == "NFC" || type == "NFKC" || type == "NFD" || type == "NFKD") return text;
  if (type == "Precompiled") {  // of SentencePiece: white space becomes spaces
    std::u32string result;
    for (const char32_t c : characters_of(text)) result += is_space(c) ? U' ' : c;
    return utf8_of(result);
  }
  refuse("", "the tokenizer normalises by \"" + type + "\", which is not known");
}

std::vector<std::string> split_like_gpt2(const std::string& text) {
  const std::u32string all = characters_of(text);
  Parts parts;
  const auto kind = [&](std::size_t i) {
    return is_letter(all[i]) ? 1 : is_number(all[i]) ? 2 : is_space(all[i]) ? 0 : 3;
  };
  const auto contraction = [&](std::size_t i) -> std::size_t {
    if (all[i] != U'\'') return 0;
    const std::u32string_view rest = std::u32string_view(all).substr(i + 1);
    for (const std::u32string_view two : {U"re", U"ve", U"ll"})
      if (rest.starts_with(two)) return 3;
    for (const std::u32string_view one : {U"s", U"t", U"m", U"d"})
      if (rest.starts_with(one)) return 2;
    return 0;
  };
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + contraction(i);
    const std::size_t word = all[i] == U' ' && i + 1 < all.size() && kind(i + 1) != 0 ? i + 1 : i;
    if (end == i && kind(word) != 0) {
      for (end = word + 1; end < all.size() && kind(end) == kind(word);) ++end;
    } else if (end == i) {  // white space: its last character belongs to the word behind it
      while (end < all.size() && kind(end) == 0) ++end;
      if (end < all.size() && end - i > 1) --end;
    }
    parts.push_back(utf8_of(std::u32string_view(all).substr(i, end - i)));
    i = end;
  }
  return parts;
}

std::vector<std::string> split_text(const std::string& text, const Json& step, bool first) {
  if (step.is_null()) return {text};
  const std::string type = step_type(step);
  if (type == "Sequence") {
    Parts parts{text};
    for (const Json& one : step["pretokenizers"]) {
      Parts next;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::string& part : split_text(parts[i], one, first && i == 0))
          next.push_back(std::move(part));
      }
      parts = std::move(next);
    }
    return parts;
  }
  if (type == "ByteLevel") return of_bytes(text, step, first);
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
  if (type == "Punctuation")
    return by_kind(
        text, [](char32_t c) { return is_punctuation(c) ? 2 : 1; }, 2);
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
        step.value("individual_digits", false) ? 2 : 0);
  refuse("", "the tokenizer splits by \"" + type + "\", which is not known");
}

}  // namespace attend
