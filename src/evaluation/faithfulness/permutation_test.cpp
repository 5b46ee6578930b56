// SPDX-License-Identifier: Apache-2.0
// How much the answer changes when each row's weights go to other keys: the median over N permutations of the total
// variation distance between the answers.
// Jain, Wallace 2019, arXiv:1902.10186
#include <algorithm>

#include "evaluation/measure.h"
#include "evaluation/rows.h"
#include "evaluation/subject.h"
#include "ops/random.h"

namespace attend::permutation_test_entry {
namespace {

// The weights of each row among the keys that it may look at, in another order.
Tensor permuted(const Tensor& weights, const Tensor& allowed, const RandomStream& stream,
                std::size_t round) {
  Tensor result = weights;
  std::uint64_t at = round * weights.data.size();
  for (std::size_t i = 0; i < RowsOf(weights).count(); ++i) {
    const std::span<double> row = row_of(result, i);
    std::vector<std::size_t> keys;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (RowsOf(allowed)[i][j] != 0) keys.push_back(j);
    for (std::size_t k = keys.size(); k > 1; --k)  // Fisher and Yates
      std::swap(row[keys[k - 1]], row[keys[static_cast<std::size_t>(stream.below(at++, k))]]);
  }
  return result;
}

double median(std::vector<double> list) {
  std::sort(list.begin(), list.end());
  const std::size_t half = list.size() / 2;
  return list.size() % 2 == 1 ? list[half] : (list[half - 1] + list[half]) / 2;
}

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  const Subject::Answer usual = subject.usual();
  const Tensor allowed = subject.allowed();
  const RandomStream stream(in.settings.integer("seed"), "permutation-test");
  std::vector<std::vector<double>> changes(subject.examples());
  for (std::size_t r = 0; r < in.settings.integer("N"); ++r) {
    const Tensor output = subject.output_with(permuted(usual.weights, allowed, stream, r));
    for (std::size_t e = 0; e < changes.size(); ++e) {
      const RowRange rows = rows_of_example(output, subject, e);
      changes[e].push_back(mean_total_variation(usual.output, output, rows));
    }
  }
  for (std::size_t e = 0; e < changes.size(); ++e) {
    const RowRange rows = rows_of_example(usual.weights, subject, e);
    double peak = 0;
    for (std::size_t i = rows.first; i < rows.last; ++i)
      peak = std::max(peak, *std::ranges::max_element(RowsOf(usual.weights)[i]));
    found.units.push_back({median(changes[e]), peak});
  }
  found.details.push_back({"changes", vector_of(changes.front())});
}

// For the picture: the largest weight beside the change, one row an example.
double value(const Settings& /*settings*/, Units units, Details* details) {
  if (details != nullptr) {
    std::vector<double> pairs;
    for (const Unit* unit : units) pairs.insert(pairs.end(), {(*unit)[1], (*unit)[0]});
    details->push_back({"largest weight and change", matrix_of(units.size(), 2, std::move(pairs))});
  }
  return mean_of(units);
}

}  // namespace

extern const Measure permutation_test_measure{
    .id = "permutation-test",
    .inputs = {{"document", InputType::document}},
    .knobs = {[] {
                Knob knob = integer_knob("N", 100., 1, 1000).at_least(1);
                knob.highest = 10'000;
                return knob;
              }(),
              integer_knob("seed", 0., 0, 1000).at_least(0)},
    // At most 1 where the answers are chances; a context may change by any amount.
    .lowest = 0,
    .probe = probe,
    .value = value};
}  // namespace attend::permutation_test_entry
