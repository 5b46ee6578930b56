// SPDX-License-Identifier: Apache-2.0
// METEOR, the stage of exact matches:  F (1 - Pen),  F = 10 P R / (R + 9 P),  Pen = (chunks / m)^3 / 2
// m words of the text are matched one to one with words of the reference, P = m / words of the text, R = m / words of
// the reference; of all such matchings one with the fewest chunks, runs that stand together on both sides.
// Banerjee, Lavie 2005, https://aclanthology.org/W05-0909
#include <algorithm>
#include <tuple>

#include "evaluation/measure.h"

namespace attend::meteor_entry {
namespace {

using Words = std::vector<std::string>;

// Words as numbers; those of one group of synonyms (or stems) are one.
class Groups {
 public:
  explicit Groups(const std::vector<Words>& groups) {
    for (const Words& group : groups) {
      for (const std::string& word : group) number_.try_emplace(word, next_);
      ++next_;
    }
  }
  std::vector<std::size_t> numbers(const Words& words) {
    std::vector<std::size_t> list;
    for (const std::string& word : words) {
      const auto [place, fresh] = number_.try_emplace(word, next_);
      if (fresh) ++next_;
      list.push_back(place->second);
    }
    return list;
  }

 private:
  std::map<std::string, std::size_t> number_;
  std::size_t next_ = 0;
};

// A matching of the first words of the text.
struct Partial {
  std::vector<bool> used;                        // places of the reference
  std::map<std::size_t, std::size_t> unmatched;  // by word: how many of the text stay without
  std::size_t last = 0;  // 1 + the place that the word before went to; 0: none
  std::size_t chunks = 0;
  [[nodiscard]] auto key() const { return std::tie(chunks, last, used, unmatched); }
};

// So many matchings are followed at a time: sentences with few words twice need fewer, and are exact.
constexpr std::size_t beam = 256;

struct Match {
  std::size_t matched = 0, chunks = 0;
};

Match fewest_chunks(const std::vector<std::size_t>& text,
                    const std::vector<std::size_t>& reference) {
  std::map<std::size_t, std::size_t> left;  // by word: how many more there are in the text
  Match match;
  for (const std::size_t word : text) ++left[word];
  for (auto& [word, count] : left) {
    const auto there =
        static_cast<std::size_t>(std::count(reference.begin(), reference.end(), word));
    match.matched += std::min(count, there);
    count -= std::min(count, there);
  }
  std::vector<Partial> all(1);
  all.front().used.resize(reference.size());
  for (const std::size_t word : text) {
    std::vector<Partial> next;
    for (const Partial& partial : all) {
      const auto skipped = partial.unmatched.find(word);
      if ((skipped == partial.unmatched.end() ? 0 : skipped->second) < left[word]) {
        Partial& one = next.emplace_back(partial);
        ++one.unmatched[word];
        one.last = 0;
      }
      for (std::size_t r = 0; r < reference.size(); ++r) {
        if (reference[r] != word || partial.used[r]) continue;
        Partial& one = next.emplace_back(partial);
        one.used[r] = true;
        one.chunks += partial.last != 0 && partial.last == r ? 0 : 1;
        one.last = r + 1;
      }
    }
    const auto before = [](const Partial& a, const Partial& b) { return a.key() < b.key(); };
    std::sort(next.begin(), next.end(), before);
    const auto same = [](const Partial& a, const Partial& b) { return a.key() == b.key(); };
    next.erase(std::unique(next.begin(), next.end(), same), next.end());
    if (next.size() > beam) next.resize(beam);
    all = std::move(next);
  }
  match.chunks = all.front().chunks;
  return match;
}

double score(const Unit& counts) {  // [m, words of the text, words of the reference, chunks]
  const double m = counts[0];
  if (m == 0) return 0;
  const double p = m / counts[1], r = m / counts[2], ratio = counts[3] / m;
  return 10 * p * r / (r + 9 * p) * (1 - ratio * ratio * ratio / 2);
}

// Counts against the reference that gives the best score.
void examine(const MeasureIn& in, Finding& found) {
  const auto& references = in.references("references");
  Groups groups(in.has("synonyms") ? in.references("synonyms") : std::vector<Words>{});
  const auto text = groups.numbers(in.words("tokens"));
  Unit best;
  for (const Words& words : references) {
    if (text.size() * words.size() > 250'000)
      in.refuse_input("tokens", "the texts are too long: METEOR compares sentence by sentence");
    const Match match = fewest_chunks(text, groups.numbers(words));
    Unit unit{static_cast<double>(match.matched), static_cast<double>(text.size()),
              static_cast<double>(words.size()), static_cast<double>(match.chunks)};
    if (best.empty() || score(unit) > score(best)) best = std::move(unit);
  }
  found.units.push_back(std::move(best));
}

double value(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  if (details != nullptr) {
    details->push_back({"matched", vector_of({sum[0]})});
    details->push_back({"chunks", vector_of({sum[3]})});
    details->push_back({"precision", vector_of({sum[1] > 0 ? sum[0] / sum[1] : 0})});
    details->push_back({"recall", vector_of({sum[2] > 0 ? sum[0] / sum[2] : 0})});
  }
  return score(sum);
}

}  // namespace

extern const Measure meteor_measure{
    .id = "meteor",
    .inputs = {{"tokens", InputType::tokens, true, InputRole::text},
               {"references", InputType::references, true, InputRole::truth},
               {"synonyms", InputType::references, false}},
    .better = Better::higher,
    .lowest = 0,
    .highest = 1,
    .examine = examine,
    .value = value};
}  // namespace attend::meteor_entry
