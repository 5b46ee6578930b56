// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "import/character_set.h"

namespace attend {

// A regular expression as tokenizers split a text by it: sets and kinds of characters, alternatives, repetitions that
// are greedy, lazy or possessive, anchors, what must or must not follow, and what must or must not be before, of a
// fixed length. It refers to nothing that it matched.
class TextRegex {
 public:
  // Nothing where the pattern has a part that is not known here.
  static std::optional<TextRegex> read(std::string_view pattern);

  // Behind the match that begins at `i`; nothing where none begins there. Throws Error where the search takes too long.
  [[nodiscard]] std::optional<std::size_t> match(std::u32string_view text, std::size_t i) const;

  // A program of steps, whose targets are relative, so that a repetition copies its body.
  enum class Act : std::uint8_t {
    take,
    fork,
    jump,
    place,
    ahead,
    not_ahead,
    behind,
    not_behind,
    whole,
    accept
  };
  enum class Place : std::uint8_t {
    line_begin,
    line_end,
    text_begin,
    text_end,
    last_line_end,
    word_border,
    no_word_border
  };
  struct Step {
    Act act;
    std::ptrdiff_t to = 0,
                   other = 0;  // `fork` tries `to` first; the rest go on at `to` behind their body
    std::size_t set = 0;       // that `take` matches; the Place of `place`; how far `behind` is
  };

 private:
  struct Search;

  std::vector<Step> steps_;
  std::vector<CharacterSet> sets_;
};

}  // namespace attend
