// SPDX-License-Identifier: Apache-2.0
// Regular expressions of tokenizers: a reader that writes a program.
#include "import/text_regex.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "import/text_units.h"
#include "ops/error.h"

namespace attend {
namespace {

using Act = TextRegex::Act;

constexpr std::size_t most_regex_steps = 20'000;  // of a program
constexpr std::size_t most_regex_copies = 1'000;  // of a repetition
constexpr std::size_t deepest_group = 200;        // groups in groups
constexpr std::u32string_view plain_signs =
    U"#%&'\",-/:;<=>@_`~! ";  // may also be written with a backslash

// A part of the program, and whether it can match nothing.
struct RegexPart {
  std::vector<TextRegex::Step> steps;
  bool empty = true;
};

void append_part(RegexPart& to, const RegexPart& part) {
  to.steps.insert(to.steps.end(), part.steps.begin(), part.steps.end());
  to.empty = to.empty && part.empty;
}

std::ptrdiff_t length_of(const RegexPart& part) {
  return static_cast<std::ptrdiff_t>(part.steps.size());
}

// Thrown where a part of the pattern is not known; caught by TextRegex::read.
struct UnknownPattern {};

class RegexReader {
 public:
  explicit RegexReader(std::u32string_view text) : text_(text) {}

  std::vector<TextRegex::Step> whole() {
    RegexPart part = alternatives(false, 0);
    if (at_ != text_.size()) throw UnknownPattern{};
    part.steps.push_back({Act::accept});
    return std::move(part.steps);
  }

  std::vector<CharacterSet> sets;

 private:
  [[nodiscard]] bool ends() const { return at_ == text_.size(); }
  [[nodiscard]] bool is_next(std::u32string_view words) const {
    return text_.substr(at_).starts_with(words);
  }
  bool take(std::u32string_view words) {
    const bool there = is_next(words);
    if (there) at_ += words.size();
    return there;
  }
  char32_t next() {
    if (ends()) throw UnknownPattern{};
    return text_[at_++];
  }

  // Counts steps of the program before they are made, so that a pattern that is too long is left before it takes time
  // and memory.
  void grow(std::size_t steps) {
    steps_ += steps;
    if (steps_ > most_regex_steps) throw UnknownPattern{};
  }

  RegexPart alternatives(bool any_case, std::size_t depth) {
    if (depth > deepest_group) throw UnknownPattern{};
    if (take(U"(?i)")) any_case = true;
    std::vector<RegexPart> ways{sequence(any_case, depth)};
    std::ptrdiff_t end = length_of(ways.front());
    while (take(U"|")) {
      grow(2);
      ways.push_back(sequence(any_case, depth));
      end += length_of(ways.back()) + 2;
    }
    RegexPart all{{}, false};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const bool last = i + 1 == ways.size();
      if (!last) all.steps.push_back({Act::fork, 1, length_of(ways[i]) + 2});
      all.steps.insert(all.steps.end(), ways[i].steps.begin(), ways[i].steps.end());
      if (!last) all.steps.push_back({Act::jump, end - length_of(all)});
      all.empty = all.empty || ways[i].empty;
    }
    return all;
  }

  RegexPart sequence(bool any_case, std::size_t depth) {
    RegexPart all;
    while (!ends() && !is_next(U"|") && !is_next(U")")) {
      append_part(all, repeated(atom(any_case, depth)));
    }
    return all;
  }

  // `act` over the part, which ends by itself.
  RegexPart within(Act act, const RegexPart& part, bool empty) {
    grow(2);
    RegexPart result{{{act, length_of(part) + 2}}, empty};
    result.steps.insert(result.steps.end(), part.steps.begin(), part.steps.end());
    result.steps.push_back({Act::accept});
    return result;
  }

  RegexPart repeated(const RegexPart& once) {
    std::size_t least = 1, most = 1;
    constexpr std::size_t any = 0;
    const bool counted = is_next(U"{");
    if (take(U"*")) {
      least = 0;
      most = any;
    } else if (take(U"+")) {
      most = any;
    } else if (take(U"?")) {
      least = 0;
    } else if (counted) {
      std::tie(least, most) = counts();
    } else {
      return once;
    }
    const bool lazy = take(U"?");
    const bool possessive = !lazy && is_next(U"+");
    if (possessive) ++at_;
    // Libraries differ in what a count with one more sign means; a loop over nothing would never end.
    if ((counted && (lazy || possessive)) || (most == any && once.empty)) throw UnknownPattern{};
    RegexPart all;
    const std::ptrdiff_t length = length_of(once);
    const std::size_t whole = once.steps.size();
    grow(least * whole + (most == any ? whole + 2 : (most - least) * (whole + 1)) - whole);
    for (std::size_t i = 0; i < least; ++i) append_part(all, once);
    const auto fork = [&](std::ptrdiff_t in, std::ptrdiff_t out) {
      return lazy ? TextRegex::Step{Act::fork, out, in} : TextRegex::Step{Act::fork, in, out};
    };
    if (most == any) {
      all.steps.push_back(fork(1, length + 2));
      all.steps.insert(all.steps.end(), once.steps.begin(), once.steps.end());
      all.steps.push_back({Act::jump, -length - 1});
    }
    for (std::size_t i = least; i < most; ++i) {  // each copy may leave all copies behind it
      const auto left = static_cast<std::ptrdiff_t>(most - i);
      all.steps.push_back(fork(1, left * (length + 1)));
      all.steps.insert(all.steps.end(), once.steps.begin(), once.steps.end());
    }
    all.empty = least == 0 || once.empty;
    return possessive ? within(Act::whole, all, all.empty) : all;
  }

  // {m}, {m,} or {m,n}; no end is 0.
  std::pair<std::size_t, std::size_t> counts() {
    if (!take(U"{")) throw UnknownPattern{};
    const std::size_t least = count();
    std::size_t most = least;
    if (take(U",")) most = is_next(U"}") ? 0 : count();
    if (!take(U"}") || (most != 0 && most < least) || (least == 0 && most == 0))
      throw UnknownPattern{};
    return {least, most};
  }
  std::size_t count() {
    std::size_t value = 0, digits = 0;
    for (; !ends() && text_[at_] >= U'0' && text_[at_] <= U'9'; ++digits)
      value = std::min<std::size_t>(10 * value + (next() - U'0'), most_regex_copies + 1);
    if (digits == 0 || value > most_regex_copies) throw UnknownPattern{};
    return value;
  }

  // What a place must be, without taking a character.
  std::optional<TextRegex::Place> place() {
    using enum TextRegex::Place;
    for (const auto& [sign, kind] : {std::pair{U"^", line_begin},
                                     {U"$", line_end},
                                     {U"\\A", text_begin},
                                     {U"\\z", text_end},
                                     {U"\\Z", last_line_end},
                                     {U"\\b", word_border},
                                     {U"\\B", no_word_border}}) {
      if (take(sign)) return kind;
    }
    return std::nullopt;
  }

  RegexPart atom(bool any_case, std::size_t depth) {
    if (take(U"(")) return group(any_case, depth);
    if (const auto kind = place()) {
      grow(1);
      return {{{Act::place, 1, 0, static_cast<std::size_t>(*kind)}}, true};
    }
    CharacterSet set;
    if (take(U"[")) {
      set = inside(any_case, depth);
    } else if (take(U".")) {
      set.negated = true;
      set.ranges.push_back({U'\n', U'\n'});
    } else {
      const char32_t c = next();
      if (std::u32string_view(U"*+?{").find(c) != std::u32string_view::npos) throw UnknownPattern{};
      put(set, c);
    }
    set.any_case = any_case;
    grow(1);
    sets.push_back(std::move(set));
    return {{{Act::take, 1, 0, sets.size() - 1}}, false};
  }

  RegexPart group(bool any_case, std::size_t depth) {
    if (take(U"?<=")) return behind(Act::behind, any_case, depth);
    if (take(U"?<!")) return behind(Act::not_behind, any_case, depth);
    const bool ahead = take(U"?="), not_ahead = !ahead && take(U"?!"),
               whole = !ahead && !not_ahead && take(U"?>");
    const bool folded = take(U"?i:");
    if (!ahead && !not_ahead && !whole && !folded && !take(U"?:") && is_next(U"?"))
      throw UnknownPattern{};
    RegexPart part = alternatives(any_case || folded, depth + 1);
    if (!take(U")")) throw UnknownPattern{};
    if (ahead) return within(Act::ahead, part, true);
    if (not_ahead) return within(Act::not_ahead, part, true);
    return whole ? within(Act::whole, part, part.empty) : part;
  }

  // What must, or must not, be before a place. Only sets in a row are known, because their length is.
  RegexPart behind(Act act, bool any_case, std::size_t depth) {
    const RegexPart part = alternatives(any_case, depth + 1);
    const bool is_row = std::ranges::all_of(
        part.steps, [](const TextRegex::Step& step) { return step.act == Act::take; });
    if (!is_row || part.steps.empty() || !take(U")")) throw UnknownPattern{};
    RegexPart result = within(act, part, true);
    result.steps.front().set = part.steps.size();
    return result;
  }

  // A set up to its bracket; sets in it are added to it.
  CharacterSet inside(bool any_case, std::size_t depth) {
    if (depth > deepest_group) throw UnknownPattern{};
    CharacterSet set;
    set.any_case = any_case;
    set.negated = take(U"^");
    for (bool first = true; first || !is_next(U"]"); first = false) {
      if (is_next(U"[:")) throw UnknownPattern{};
      if (take(U"&&")) {
        CharacterSet rest = inside(any_case, depth + 1);
        if (rest.negated) throw UnknownPattern{};  // libraries differ in what [a&&^b] means
        set.besides.push_back(std::move(rest));
        return set;
      }
      if (take(U"[")) {
        set.sets.push_back(inside(any_case, depth + 1));
        continue;
      }
      const auto begin = put(set, next());
      if (!begin || !is_next(U"-") || is_next(U"-]")) continue;
      ++at_;
      CharacterSet end;
      const auto last = is_next(U"[") ? std::nullopt : put(end, next());
      if (!last || *last < *begin) throw UnknownPattern{};
      set.ranges.back().last = *last;
    }
    ++at_;
    return set;
  }

  // Adds a character, or what a backslash makes of the next ones; gives the character, if it is a single one.
  std::optional<char32_t> put(CharacterSet& set, char32_t c) {
    if (c == U'\\') {
      const char32_t named = next();
      if (named == U'p' || named == U'P') {
        set.kinds.push_back(named_kind(named == U'P'));
        return std::nullopt;
      }
      for (const auto& [small, kind] : {std::pair{U's', CharacterKind::space},
                                        {U'd', CharacterKind::digit},
                                        {U'w', CharacterKind::word}}) {
        if (named != small && named != small - 0x20) continue;
        set.kinds.push_back({kind, named != small});
        return std::nullopt;
      }
      c = escaped(named);
    }
    set.ranges.push_back({c, c});
    return c;
  }

  CharacterSet::Kind named_kind(bool negated) {
    std::string name;
    if (!take(U"{")) {
      name = utf8_of(next());
    } else {
      if (take(U"^")) negated = !negated;
      for (char32_t c = next(); c != U'}'; c = next()) name += utf8_of(c);
    }
    const auto kind = kind_named(name);
    if (!kind) throw UnknownPattern{};
    return {*kind, negated};
  }

  char32_t escaped(char32_t c) {
    switch (c) {
      case U'n':
        return U'\n';
      case U'r':
        return U'\r';
      case U't':
        return U'\t';
      case U'f':
        return U'\f';
      case U'v':
        return U'\v';
      case U'u':
        return take(U"{") ? hexadecimal(6, true) : hexadecimal(4, false);
      case U'x':
        return take(U"{") ? hexadecimal(6, true) : hexadecimal(2, false);
      default:
        if (c >= 0x80 || plain_signs.find(c) != std::u32string_view::npos ||
            std::u32string_view(U"\\.*+?|()[]{}^$").find(c) != std::u32string_view::npos)
          return c;
        throw UnknownPattern{};
    }
  }
  char32_t hexadecimal(std::size_t most, bool closed) {
    char32_t value = 0;
    std::size_t digits = 0;
    for (; digits < most && !(closed && is_next(U"}")); ++digits) {
      const std::size_t digit =
          std::u32string_view(U"0123456789abcdef").find(lower_of(next()).front());
      if (digit == std::u32string_view::npos) throw UnknownPattern{};
      value = 16 * value + static_cast<char32_t>(digit);
    }
    if (digits == 0 || (closed && !take(U"}"))) throw UnknownPattern{};
    return value;
  }

  std::u32string_view text_;
  std::size_t at_ = 0;
  std::size_t steps_ = 0;  // of the program, as far as it is read
};

}  // namespace

std::optional<TextRegex> TextRegex::read(std::string_view pattern) {
  const std::u32string text = characters_of(pattern);
  RegexReader reader(text);
  try {
    TextRegex regex;
    regex.steps_ = reader.whole();
    regex.sets_ = std::move(reader.sets);
    return regex;
  } catch (const UnknownPattern&) {
    return std::nullopt;
  }
}

}  // namespace attend
