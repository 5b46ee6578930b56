// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalogue/scope.h"

// Words as numbers, for modules that read tokens: index 0 is <start>, 1 <end>, 2 <unknown>.
namespace attend {

class WordList {
 public:
  static constexpr std::size_t start = 0, end = 1, unknown = 2;

  // The knob `vocabulary`, or else the three special words and then the tokens by first appearance.
  WordList(const Scope& in, const std::vector<std::string>& tokens);

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  // The index of a word; that of <unknown> when the list does not have it.
  [[nodiscard]] std::size_t index_of(const std::string& word) const;
  // A row [count size] of zeros and a one for each index.
  [[nodiscard]] Tensor one_hot(const std::vector<std::size_t>& indices) const;
  // Which of the tokens are not in the list, each once.
  [[nodiscard]] std::vector<std::string> missing(const std::vector<std::string>& tokens) const;

 private:
  std::vector<std::string> words_;
};

// The tokens along a port's rows. Throws Error at the port when it has none.
std::vector<std::string> tokens_at(const Scope& in, std::string_view port);

// Warns that these tokens have the vector of an unknown word, when `of` is computed.
void warn_of_unknown(const Scope& in, const WordList& words, const std::vector<std::string>& tokens,
                     Var of);

}  // namespace attend
