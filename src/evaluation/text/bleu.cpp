// SPDX-License-Identifier: Apache-2.0
// BLEU:  BP exp( sum_{n <= N} ln p_n / N ),  BP = 1 if c > r else e^{1 - r/c}
// p_n: the share of the text's n-grams that a reference has, each counted at most as often as one reference has it;
// c the text's length, r that of the reference nearest in length. Counts are summed over all texts first.
// Papineni, Roukos, Ward, Zhu 2002, https://aclanthology.org/P02-1040
#include <algorithm>
#include <cmath>

#include "evaluation/measure.h"

namespace attend::bleu_entry {
namespace {

using Words = std::vector<std::string>;
using Counts = std::map<Words, double>;

Counts grams(const Words& words, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i)
    counts[{words.begin() + static_cast<long>(i), words.begin() + static_cast<long>(i + n)}] += 1;
  return counts;
}

// Of references as near in length, the shorter one.
std::size_t nearest_length(const std::vector<Words>& references, std::size_t length) {
  const auto gap = [&](std::size_t r) { return r > length ? r - length : length - r; };
  std::size_t best = references.front().size();
  for (const Words& reference : references) {
    const std::size_t r = reference.size();
    if (gap(r) < gap(best) || (gap(r) == gap(best) && r < best)) best = r;
  }
  return best;
}

// [matches of 1-grams, .., n-grams of the text, .., length, reference length]
void examine(const MeasureIn& in, Finding& found) {
  const Words& text = in.words("tokens");
  const auto& references = in.references("references");
  const std::size_t order = in.settings.integer("N");
  Unit unit(2 * order + 2);
  for (std::size_t n = 1; n <= order; ++n) {
    Counts most;
    for (const Words& reference : references) {
      for (const auto& [gram, count] : grams(reference, n))
        most[gram] = std::max(most[gram], count);
    }
    for (const auto& [gram, count] : grams(text, n)) {
      const auto seen = most.find(gram);
      if (seen != most.end()) unit[n - 1] += std::min(count, seen->second);
      unit[order + n - 1] += count;
    }
  }
  unit[2 * order] = static_cast<double>(text.size());
  unit[2 * order + 1] = static_cast<double>(nearest_length(references, text.size()));
  if (text.size() < order)
    found.notes.push_back("a text of " + std::to_string(text.size()) + " words has no " +
                          std::to_string(order) + "-gram; make N smaller for texts this short");
  found.units.push_back(std::move(unit));
}

double value(const Settings& settings, Units units, Details* details) {
  const Unit sum = sum_of(units);
  const std::size_t order = settings.integer("N");
  const bool smooth = settings.text("smoothing") == "plus-one";
  const double c = sum[2 * order], r = sum[2 * order + 1];
  const double brevity = c > r ? 1 : c > 0 ? std::exp(1 - r / c) : 0;
  std::vector<double> precisions;
  double logs = 0;
  for (std::size_t n = 0; n < order; ++n) {
    const double more = smooth && n > 0 ? 1 : 0;  // Lin and Och 2004 leave single words as they are
    const double all = sum[order + n] + more;
    precisions.push_back(all > 0 ? (sum[n] + more) / all : 0);
    logs += std::log(precisions.back()) / static_cast<double>(order);
  }
  if (details != nullptr) {
    details->push_back({"precisions", vector_of(precisions)});
    details->push_back({"brevity penalty", vector_of({brevity})});
    details->push_back({"length", vector_of({c})});
    details->push_back({"reference length", vector_of({r})});
  }
  return brevity * std::exp(logs);
}

}  // namespace

extern const Measure bleu_measure{
    .id = "bleu",
    .inputs = {{"tokens", InputType::tokens, true, InputRole::text},
               {"references", InputType::references, true, InputRole::truth}},
    .knobs = {integer_knob("N", 4., 1, 9).at_least(1),
              choice_knob("smoothing", "none", {"none", "plus-one"})},
    .better = Better::higher,
    .lowest = 0,
    .highest = 1,
    .examine = examine,
    .value = value};
}  // namespace attend::bleu_entry
