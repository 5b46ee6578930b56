// SPDX-License-Identifier: Apache-2.0
// The search by the program of a regular expression, which goes back where it must.
#include <tuple>
#include <utility>

#include "import/text_regex.h"
#include "ops/error.h"

namespace attend {

constexpr std::size_t most_tries = 20'000'000;  // of one match

struct TextRegex::Search {
  const TextRegex& regex;
  std::u32string_view text;
  std::size_t tries = 0;

  [[nodiscard]] bool is_word(std::size_t at) const {
    return at < text.size() && is_of_kind(text[at], CharacterKind::word);
  }

  // Lines as Oniguruma has them, the library of tokenizers: ^ and $ are about lines, not the whole text.
  [[nodiscard]] bool is_at(Place place, std::size_t at) const {
    const bool ends = at == text.size();
    const bool border = (at > 0 && is_word(at - 1)) != is_word(at);
    switch (place) {
      case Place::line_begin:
        return at == 0 || (!ends && text[at - 1] == U'\n');
      case Place::line_end:
        return ends || text[at] == U'\n';
      case Place::text_begin:
        return at == 0;
      case Place::text_end:
        return ends;
      case Place::last_line_end:
        return ends || (at + 1 == text.size() && text[at] == U'\n');
      case Place::word_border:
        return border;
      case Place::no_word_border:
        return !border;
    }
    return false;
  }

  // From a step and a place of the text up to the step that accepts.
  std::optional<std::size_t> from(std::size_t step, std::size_t at) {
    std::vector<std::pair<std::size_t, std::size_t>> later{{step, at}};
    while (!later.empty()) {
      std::tie(step, at) = later.back();
      later.pop_back();
      if (const auto end = along(step, at, later)) return end;
    }
    return std::nullopt;
  }

  // One way through the program, which leaves the other ways for later; nothing where it ends without a match.
  std::optional<std::size_t> along(std::size_t step, std::size_t at,
                                   std::vector<std::pair<std::size_t, std::size_t>>& later) {
    while (true) {
      if (++tries > most_tries)
        refuse("", "the tokenizer's pattern takes too long on this text; give a shorter text");
      const TextRegex::Step& now = regex.steps_[step];
      const std::size_t onward = step + static_cast<std::size_t>(now.to);
      switch (now.act) {
        case Act::accept:
          return at;
        case Act::take:
          if (at == text.size() || !regex.sets_[now.set].has(text[at])) return std::nullopt;
          ++at;
          break;
        case Act::fork:
          later.emplace_back(step + static_cast<std::size_t>(now.other), at);
          break;
        case Act::jump:
          break;
        case Act::place:
          if (!is_at(static_cast<Place>(now.set), at)) return std::nullopt;
          break;
        default: {
          const bool back = now.act == Act::behind || now.act == Act::not_behind;
          const bool has_room = !back || now.set <= at;
          const auto end = has_room ? from(step + 1, back ? at - now.set : at) : std::nullopt;
          const bool is_denied = now.act == Act::not_ahead || now.act == Act::not_behind;
          if (end.has_value() == is_denied) return std::nullopt;
          if (now.act == Act::whole) at = *end;
        }
      }
      step = onward;
    }
  }
};

std::optional<std::size_t> TextRegex::match(std::u32string_view text, std::size_t i) const {
  return Search{*this, text}.from(0, i);
}

}  // namespace attend
