// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "training/grammar/words.h"
#include "training/task.h"

// Sentences of the grammar of agreement: "the dogs near the old house bark . today they are quiet ."
namespace attend::grammar {

// What a word does whose form the rest of the text determines.
enum class Role { verb, be, reflexive, pronoun };

struct Determined {
  std::size_t at;
  std::string word;
  Role role;
  bool second;  // in the sentence after the first
  bool shown;   // in the text, neither hidden nor still to come
  bool sure;    // the words before it alone determine it
};

struct Text {
  std::vector<std::size_t> subject;  // the positions of the noun, or of the names
  std::vector<Determined> words;
  std::size_t first = 0;  // the length of the first sentence
  bool open = false;      // the last of `words` is the next one, after all of the text
};

// How a text is written: with [CLS], and [SEP] after each sentence, and then both sentences are there; or without.
enum class Marks { none, segments };

// Nothing where this is no text of the grammar. A determined word may be hidden by [MASK]; a text may end where a
// determined word comes next.
std::optional<Text> read(const Tokens& tokens, Marks marks);

// Where the truth about a determined word is: it means the subject, and a visible word that repeats the answer; it
// agrees with the other shown words that are determined.
std::vector<Link> links_of(const Text& text, const Determined& word, std::size_t row);

// How texts are drawn: how many nouns are between subject and verb, and how often a second sentence follows.
struct Style {
  std::size_t fewest, most;
  double second;
};
// Throws Error at the setting's name where the fewest nouns are more than the most.
Style style_of(const TaskSettings& settings, double second);
inline constexpr TaskKnob fewest_knob{"fewest", 0, 0, 4}, most_knob{"most", 2, 0, 4};
Tokens draw_text(Draws& draws, const Style& style, Marks marks);

// Fewer than all different texts: of a subject, an adjective and, where there may be some, one noun between.
double fewer_than_all(const Style& style);

}  // namespace attend::grammar
