// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/word_features.h"

#include <algorithm>
#include <cmath>

#include "experiment/files/word_vectors.h"
#include "experiment/reading/read_tensor.h"
#include "ops/error.h"
#include "ops/random.h"

namespace attend {
namespace {

constexpr std::size_t word_vector_width = 24;  // what the page's small file holds
constexpr std::size_t most_named = 8;          // words in one warning

std::size_t read_width(Json& features, const std::string& path) {
  if (!features.contains("dim")) features["dim"] = word_vector_width;
  const Json& dim = features["dim"];
  const bool counts = dim.is_number() && dim.get<double>() >= 1 &&
                      dim.get<double>() <= max_word_width &&
                      dim.get<double>() == std::floor(dim.get<double>());
  if (!counts) {
    refuse(path + "/dim", "expected a whole number from 1 to " + std::to_string(max_word_width) +
                              ", the width of the word vectors, found " + describe(dim));
  }
  return static_cast<std::size_t>(dim.get<double>());
}

const WordVectors& vectors_for(std::size_t width, const std::string& path) {
  const WordVectors* known = word_vectors();
  if (known == nullptr)
    refuse(path,
           "the word vectors are not loaded: give the engine data/words/words-large.bin first");
  if (known->width() < width) {
    refuse(path + "/dim", "the word vectors that were given have " +
                              std::to_string(known->width()) + " columns, not " +
                              std::to_string(width) +
                              ": give the engine data/words/words-large.bin");
  }
  return *known;
}

void append_random(const std::string& word, std::uint64_t seed, const std::vector<double>& spread,
                   std::vector<double>& data) {
  const RandomStream stream(seed, "token:" + word);
  for (std::size_t c = 0; c < spread.size(); ++c) data.push_back(stream.normal(c) * spread[c]);
}

void warn(const std::vector<std::string>& unknown, const std::string& path,
          std::vector<Warning>& warnings) {
  if (unknown.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(unknown.size(), most_named); ++i)
    names += (i == 0 ? "\"" : ", \"") + unknown[i] + "\"";
  if (unknown.size() > most_named)
    names += " and " + std::to_string(unknown.size() - most_named) + " more";
  warnings.push_back({path, "there is no pre-trained vector for " + names +
                                ": random numbers of the same spread are used instead"});
}

}  // namespace

Tensor word_features(const std::vector<std::string>& tokens, Json& features, std::uint64_t seed,
                     const std::string& path, std::vector<Warning>& warnings) {
  const std::size_t width = read_width(features, path);
  const WordVectors& known = vectors_for(width, path);
  Tensor tensor{{tokens.size(), width}, {}};
  std::vector<std::string> unknown;
  std::vector<double> spread;  // only where a word needs it
  for (const std::string& token : tokens) {
    const std::string word = lower_case(token);
    if (const auto row = known.find(word)) {
      for (std::size_t c = 0; c < width; ++c) tensor.data.push_back(known.at(*row, c));
      continue;
    }
    if (!known.whole()) {
      refuse(path, "the word vectors that were given do not contain \"" + token +
                       "\": give the engine data/words/words-large.bin");
    }
    for (std::size_t c = spread.size(); c < width; ++c) spread.push_back(known.spread(c));
    append_random(word, seed, spread, tensor.data);
    if (std::find(unknown.begin(), unknown.end(), token) == unknown.end()) unknown.push_back(token);
  }
  warn(unknown, path, warnings);
  return tensor;
}

}  // namespace attend
