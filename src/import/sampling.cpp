// SPDX-License-Identifier: Apache-2.0
#include "import/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/random.h"

namespace attend {

std::vector<NextWord> next_words(std::span<const real> logits, const Sampling& sampling) {
  std::vector<NextWord> words(logits.size());
  const double scale = sampling.temperature > 0 ? 1 / sampling.temperature : 1;
  const double most = logits.empty() ? 0 : static_cast<double>(*std::ranges::max_element(logits));
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = {i, std::exp((static_cast<double>(logits[i]) - most) * scale)};
  std::erase_if(words, [&](const NextWord& word) {
    return std::ranges::find(sampling.never, word.id) != sampling.never.end();
  });
  const auto comes_first = [](const NextWord& a, const NextWord& b) {
    return a.probability > b.probability || (a.probability == b.probability && a.id < b.id);
  };
  if (sampling.top_k > 0 && sampling.top_k < words.size()) {
    // Of fifty thousand words the few that count are found much faster than the order of all.
    const auto end = words.begin() + static_cast<long>(sampling.top_k);
    std::partial_sort(words.begin(), end, words.end(), comes_first);
    words.erase(end, words.end());
  } else {
    std::ranges::sort(words, comes_first);
  }
  const auto share = [&] {
    const double all =
        std::accumulate(words.begin(), words.end(), 0.0,
                        [](double sum, const NextWord& w) { return sum + w.probability; });
    for (NextWord& word : words) word.probability /= all;
  };
  share();
  double sum = 0;
  std::size_t kept = 0;
  while (kept < words.size() && sum < sampling.top_p) sum += words[kept++].probability;
  if (kept == words.size()) return words;
  words.resize(std::max<std::size_t>(kept, 1));
  share();
  return words;
}

std::size_t choose_word(std::span<const NextWord> words, const Sampling& sampling,
                        std::size_t step) {
  if (sampling.temperature == 0) return words.front().id;
  double left = RandomStream(sampling.seed, "write").uniform(step);
  for (const NextWord& word : words) {
    left -= word.probability;
    if (left < 0) return word.id;
  }
  return words.back().id;
}

}  // namespace attend
