// SPDX-License-Identifier: Apache-2.0
#include "import/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

// Sorted in any case: more than any list of the likeliest words has.
constexpr std::size_t most_listed = 64;

double draw_of(const Sampling& sampling, std::size_t step) {
  return RandomStream(sampling.seed, "write").uniform(step);
}

}  // namespace

std::vector<NextWord> next_words(std::span<const real> logits, const Sampling& sampling,
                                 std::size_t step) {
  std::vector<NextWord> words;
  words.reserve(logits.size());
  for (std::size_t id = 0; id < logits.size(); ++id) {
    if (is_written(sampling, id)) words.push_back({id, 0});
  }
  const auto comes_first = [by = likelier_by(logits)](const NextWord& a, const NextWord& b) {
    return by(a.id, b.id);
  };
  // Of fifty thousand words the few that count are found much faster than the order of all.
  std::size_t sorted = 0;
  const auto sort_to = [&](std::size_t count) {
    const auto first = words.begin() + static_cast<long>(sorted);
    // Of many words, sorting all of them is faster.
    sorted = 8 * count > words.size() ? words.size() : count;
    if (sorted == words.size())
      std::sort(first, words.end(), comes_first);
    else
      std::partial_sort(first, words.begin() + static_cast<long>(sorted), words.end(), comes_first);
  };
  const bool has_most = sampling.top_k > 0 && sampling.top_k < words.size();
  sort_to(has_most ? sampling.top_k : most_listed);
  if (has_most) words.resize(sampling.top_k);
  // Of a temperature near 0 only the likeliest words are left. A factor that is infinite would make 0 of it no number.
  const double scale = sampling.temperature > 0
                           ? std::min(1 / sampling.temperature, std::numeric_limits<double>::max())
                           : 1;
  const double most = words.empty() ? 0 : static_cast<double>(logits[words.front().id]);
  for (NextWord& word : words)
    word.probability = std::exp((static_cast<double>(logits[word.id]) - most) * scale);
  const auto share = [&] {
    const double all =
        std::accumulate(words.begin(), words.end(), 0.0,
                        [](double sum, const NextWord& w) { return sum + w.probability; });
    for (NextWord& word : words) word.probability /= all;
  };
  share();
  std::size_t at = 0;
  const auto next = [&] {
    if (at == sorted) sort_to(4 * sorted);
    return words[at++].probability;
  };
  if (sampling.top_p < 1) {
    double sum = 0;
    while (at < words.size() && sum < sampling.top_p) sum += next();
    if (at < words.size()) {
      words.resize(std::max<std::size_t>(at, 1));
      share();
    }
  }
  if (sampling.temperature > 0) {
    at = 0;
    double left = draw_of(sampling, step);
    while (at < words.size() && left >= 0) left -= next();
  }
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
  double left = draw_of(sampling, step);
  for (const NextWord& word : words) {
    left -= word.probability;
    if (left < 0) return word.id;
  }
  return words.back().id;
}

}  // namespace attend
