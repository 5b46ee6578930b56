// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "catalogue/scope.h"
#include "ops/special_words.h"

// Words as numbers, for modules that read tokens: index 0 is <start>, 1 <end>, 2 <unknown>.
namespace attend {

// The special words, and then the tokens by first appearance: the vocabulary of a module whose document gives none.
std::vector<std::string> words_by_appearance(const std::vector<std::string>& tokens);

class WordList {
 public:
  static constexpr std::size_t start = 0, end = 1, unknown = 2;

  // The knob `vocabulary`, or else the three special words and then the tokens by first appearance.
  WordList(const Scope& in, const std::vector<std::string>& tokens);

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] const std::vector<std::string>& all() const { return words_; }
  // The index of a word; that of <unknown> when the list does not have it.
  [[nodiscard]] std::size_t index_of(const std::string& word) const;
  // A row [count size] of zeros and a one for each index.
  [[nodiscard]] Tensor one_hot(const std::vector<std::size_t>& indices) const;
  // Which of the tokens are not in the list, each once.
  [[nodiscard]] std::vector<std::string> missing(const std::vector<std::string>& tokens) const;

 private:
  std::vector<std::string> words_;
};

// The rows of a leaf that represents tokens, one-hot. For other tokens of the same input (another example), other rows
// are written.
struct WordRows {
  std::string input;                    // of the document, whose tokens they are
  std::vector<std::string> vocabulary;  // by index
  bool after_start = false;             // <start>, and then all tokens but the last

  [[nodiscard]] std::size_t index_of(const std::string& word) const;
  // [count vocabulary], row-major; `room` is as large.
  template <class Number>
  void write(const std::vector<std::string>& tokens, Number* room) const;
};

// The tokens at a port as rows of zeros and a one: a leaf `name` of this slot.
Var word_rows(const Scope& in, std::string_view name, std::string_view port, const WordList& words,
              bool after_start = false);

// The tokens along a port's rows. Throws Error at the port when it has none.
std::vector<std::string> tokens_at(const Scope& in, std::string_view port);

// Warns that these tokens have the vector of an unknown word, when `of` is computed.
void warn_of_unknown(const Scope& in, const WordList& words, const std::vector<std::string>& tokens,
                     Var of);

template <class Number>
void WordRows::write(const std::vector<std::string>& tokens, Number* room) const {
  const std::size_t size = vocabulary.size();
  std::fill_n(room, tokens.size() * size, Number{0});
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t place = !after_start ? index_of(tokens[i])
                              : i == 0     ? WordList::start
                                           : index_of(tokens[i - 1]);
    room[i * size + place] = Number{1};
  }
}

}  // namespace attend
