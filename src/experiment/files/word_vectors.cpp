// SPDX-License-Identifier: Apache-2.0
#include "experiment/files/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ops/error.h"

namespace attend {
namespace {

constexpr double scale_unit = 1.0 / 4096;

std::unique_ptr<const WordVectors>& current() {
  static std::unique_ptr<const WordVectors> given;
  return given;
}

WordSource& word_source() {
  static WordSource asked = nullptr;
  return asked;
}

[[noreturn]] void refuse_file() {
  refuse("", "this is not a file of word vectors, or it is only part of one");
}

// Takes text off the front of a file.
class WordFileReader {
 public:
  explicit WordFileReader(std::string_view text) : rest_(text) {}

  std::string_view until(char end) {
    const std::size_t length = rest_.find(end);
    if (length == std::string_view::npos) refuse_file();
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length + 1);
    return taken;
  }

  std::size_t number(char end) {
    const std::string_view digits = until(end);
    std::size_t value = 0;
    if (digits.empty() || digits.size() > 6) refuse_file();
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') refuse_file();
      value = value * 10 + static_cast<std::size_t>(digit - '0');
    }
    return value;
  }

  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace

WordVectors::WordVectors(const std::string& file) {
  WordFileReader reader(file);
  if (reader.until(' ') != "attention-words/1") refuse_file();
  const std::size_t count = reader.number(' '), width = reader.number(' ');
  whole_ = reader.until('\n') == "whole";
  if (count == 0 || width == 0) refuse_file();
  for (std::size_t column = 1; column <= width; ++column) {
    scales_.push_back(static_cast<double>(reader.number(column == width ? '\n' : ' ')) *
                      scale_unit);
  }
  for (std::size_t row = 0; row < count; ++row) rows_.emplace(reader.until('\n'), row);
  if (reader.rest().size() != count * width) refuse_file();
  for (const char byte : reader.rest()) bytes_.push_back(static_cast<std::int8_t>(byte));
}

std::optional<std::size_t> WordVectors::find(const std::string& word) const {
  const auto found = rows_.find(word);
  if (found == rows_.end()) return std::nullopt;
  return found->second;
}

double WordVectors::at(std::size_t row, std::size_t column) const {
  return static_cast<double>(bytes_[row * width() + column]) * scales_[column];
}

// A sum of whole numbers, and so the same everywhere.
double WordVectors::spread(std::size_t column) const {
  double sum = 0;
  for (std::size_t at = column; at < bytes_.size(); at += width())
    sum += static_cast<double>(bytes_[at] * bytes_[at]);
  return std::sqrt(sum / static_cast<double>(bytes_.size() / width())) * scales_[column];
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

void give_word_vectors(std::string file) {
  current() = std::make_unique<const WordVectors>(std::move(file));
}

void set_word_source(WordSource given) { word_source() = given; }

const WordVectors* word_vectors() {
  if (current() == nullptr && word_source() != nullptr) give_word_vectors(word_source()());
  return current().get();
}

}  // namespace attend
