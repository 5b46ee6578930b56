// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "training/entailment/words.h"
#include "training/task.h"

// Sentences of the task of entailment, and what one says about another.
namespace attend::entailment {

enum class Verdict { entails, contradicts, neutral };

enum class Part { noun, doing, quality, place };
inline constexpr std::size_t parts = 4;

// "the black dog does not sleep", or with a quantity "all dogs sleep", "no dogs are black".
struct Sentence {
  bool quantified = false;
  // 0 all, 1 some, 2 no; of a scene 1 for "not".
  std::size_t quantity = 0;
  // Where the quantity or the negation is in the sentence, if it is there.
  std::optional<std::size_t> quantity_at = {};

  struct Said {
    Node node;
    std::size_t column;
  };
  std::array<std::optional<Said>, parts> said = {};

  [[nodiscard]] bool has(Part part) const { return at(part).has_value(); }
  [[nodiscard]] Node node(Part part) const { return at(part)->node; }
  void put(Part part, Node node, std::size_t column = 0) {
    said.at(static_cast<std::size_t>(part)) = Said{node, column};
  }
  void drop(Part part) { said.at(static_cast<std::size_t>(part)).reset(); }
  [[nodiscard]] const std::optional<Said>& at(Part part) const {
    return said.at(static_cast<std::size_t>(part));
  }
};

// Every word of every sentence.
std::vector<std::string> all_words();
std::vector<std::string> spoken(const Sentence& sentence);
// Nothing where this is no sentence of the task.
std::optional<Sentence> read(const std::vector<std::string>& tokens);

Verdict judged(const Sentence& premise, const Sentence& hypothesis);
// The positions of the premise that decide: with its own word in the hypothesis, the verdict would be another one. If
// no single word changes it, all that differ decide, and if none differs, all words that are compared.
std::vector<std::size_t> deciding(const Sentence& premise, const Sentence& hypothesis);
// Which position of the hypothesis (the row) is compared with which one of the premise.
std::vector<Link> matches(const Sentence& premise, const Sentence& hypothesis);

}  // namespace attend::entailment
