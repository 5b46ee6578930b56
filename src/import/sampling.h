// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/real.h"

namespace attend {

// How the next word is chosen from the probabilities.
struct Sampling {
  double temperature = 0;  // 0: always the likeliest
  std::size_t top_k = 0;   // 0: all
  double top_p = 1;        // the likeliest words that together have this probability
  std::uint64_t seed = 0;
  std::vector<std::size_t> never = {};  // words that the model does not write
};

struct NextWord {
  std::size_t id;
  double probability;
};

struct RankedWord : NextWord {
  std::size_t rank;  // 1: the likeliest; 0: the model never writes it
};

// The words that may come next with their probabilities after temperature, top-k and top-p. The likeliest come first,
// as far as somebody needs their order: the first 64, and those up to the word that `choose_word` chooses for this
// `step`. Equal logits go by the lower number.
std::vector<NextWord> next_words(std::span<const real> logits, const Sampling& sampling,
                                 std::size_t step = 0);
// These words, of which `words` has the probabilities: 0 where temperature, top-k and top-p leave a word out. The rank
// is that among all words of the logits.
std::vector<RankedWord> ranked_words(std::span<const real> logits, const Sampling& sampling,
                                     std::span<const NextWord> words,
                                     std::span<const std::size_t> ids);
// One of them; `step` is which word of the text it is, so that a seed gives the same text.
std::size_t choose_word(std::span<const NextWord> words, const Sampling& sampling,
                        std::size_t step);

}  // namespace attend
