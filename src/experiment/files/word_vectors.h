// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attend {

// Pre-trained vectors of frequent words: a file as data/words/README.md describes it.
class WordVectors {
 public:
  // Throws Error when `file` is no such file.
  explicit WordVectors(const std::string& file);

  // The row of a word in lower case.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& word) const;
  [[nodiscard]] double at(std::size_t row, std::size_t column) const;
  // Root of the mean square of a column.
  [[nodiscard]] double spread(std::size_t column) const;
  [[nodiscard]] std::size_t width() const { return scales_.size(); }
  // Whether there are no more words than these: then a word that is missing is unknown.
  [[nodiscard]] bool whole() const { return whole_; }

 private:
  std::vector<double> scales_;
  std::unordered_map<std::string, std::size_t> rows_;
  std::vector<std::int8_t> bytes_;
  bool whole_ = false;
};

inline constexpr std::size_t max_word_width = 50;

// The letters A to Z as a to z: what the file's words are compared with.
std::string lower_case(std::string_view word);

// The words from now on: what the page does before a run that needs them.
void give_word_vectors(std::string file);
// Asked once, at the first document that needs words while none were given; gives a file's bytes.
using WordSource = std::string (*)();
void set_word_source(WordSource given);
// Null where no words were given and none can be asked for.
const WordVectors* word_vectors();

}  // namespace attend
