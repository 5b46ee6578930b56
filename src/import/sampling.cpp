// SPDX-License-Identifier: Apache-2.0
#include "import/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ops/random.h"

namespace attend {

namespace {

bool is_written(const Sampling& sampling, std::size_t id) {
  return std::ranges::find(sampling.never, id) == sampling.never.end();
}

// The order of words by their logits.
auto likelier_by(std::span<const real> logits) {
  return [logits](std::size_t a, std::size_t b) {
    return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
  };
}

}  // namespace

std::vector<NextWord> next_words(std::span<const real> logits, const Sampling& sampling) {
  std::vector<std::size_t> ids;
  ids.reserve(logits.size());
  for (std::size_t id = 0; id < logits.size(); ++id) {
    if (is_written(sampling, id)) ids.push_back(id);
  }
  const auto comes_first = likelier_by(logits);
  if (sampling.top_k > 0 && sampling.top_k < ids.size()) {
    // Of fifty thousand words the few that count are found much faster than the order of all.
    const auto end = ids.begin() + static_cast<long>(sampling.top_k);
    std::partial_sort(ids.begin(), end, ids.end(), comes_first);
    ids.erase(end, ids.end());
  } else {
    std::ranges::sort(ids, comes_first);
  }
  const double scale = sampling.temperature > 0 ? 1 / sampling.temperature : 1;
  const double most = ids.empty() ? 0 : static_cast<double>(logits[ids.front()]);
  std::vector<NextWord> words;
  words.reserve(ids.size());
  for (const std::size_t id : ids)
    words.push_back({id, std::exp((static_cast<double>(logits[id]) - most) * scale)});
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

std::vector<RankedWord> ranked_words(std::span<const real> logits, const Sampling& sampling,
                                     std::span<const NextWord> words,
                                     std::span<const std::size_t> ids) {
  const auto comes_first = likelier_by(logits);
  const std::set<std::size_t> never(sampling.never.begin(), sampling.never.end());
  std::vector<RankedWord> ranked;
  ranked.reserve(ids.size());
  for (const std::size_t id : ids) {
    const auto kept = std::ranges::find(words, id, &NextWord::id);
    const double probability = kept == words.end() ? 0 : kept->probability;
    // Plain comparisons, since there are fifty thousand words; those that are never written are few.
    const real own = logits[id];
    const auto place = logits.begin() + static_cast<long>(id);
    auto before = std::count_if(logits.begin(), place, [own](real x) { return x >= own; }) +
                  std::count_if(place, logits.end(), [own](real x) { return x > own; });
    for (const std::size_t other : never) {
      if (other < logits.size() && comes_first(other, id)) --before;
    }
    ranked.push_back(
        {{id, probability}, is_written(sampling, id) ? static_cast<std::size_t>(before) + 1 : 0});
  }
  return ranked;
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
