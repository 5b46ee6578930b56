// SPDX-License-Identifier: Apache-2.0
// How many keys have to be taken from a model, in order of what seems important, until its decision flips: their
// weights become 0 and the others grow so that the row keeps its sum.
// Serrano, Smith 2019, arXiv:1906.03731
#include <algorithm>
#include <numeric>

#include "evaluation/measure.h"
#include "evaluation/rows.h"
#include "evaluation/subject.h"
#include "ops/random.h"

namespace attend::erasure_entry {
namespace {

// The slope of what the model decides by each weight.
Tensor slopes_of_decision(Subject& subject, const Subject::Answer& usual) {
  Tensor cotangent = usual.output;
  for (std::size_t i = 0; i < RowsOf(usual.output).count(); ++i) {
    const std::span<double> row = row_of(cotangent, i);
    std::fill(row.begin(), row.end(), 0);
    row[largest_of(RowsOf(usual.output)[i])] = 1;
  }
  return subject.slopes(usual.weights, cotangent);
}

Tensor importance(const MeasureIn& in, Subject& subject, const Subject::Answer& usual) {
  const std::string& order = in.settings.text("order");
  if (order == "weight") return usual.weights;
  Tensor important = usual.weights;
  if (order == "random") {
    const RandomStream stream(in.settings.integer("seed"), "erasure");
    for (std::size_t i = 0; i < important.data.size(); ++i) important.data[i] = stream.uniform(i);
    return important;
  }
  const Tensor slopes = slopes_of_decision(subject, usual);
  for (std::size_t i = 0; i < important.data.size(); ++i)
    important.data[i] = order == "gradient" ? slopes.data[i] : important.data[i] * slopes.data[i];
  return important;
}

// By row, the keys that it may look at, the most important first.
std::vector<std::vector<std::size_t>> order_of(const Tensor& important, const Tensor& allowed) {
  std::vector<std::vector<std::size_t>> orders;
  const RowsOf rows(important);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    std::vector<std::size_t>& keys = orders.emplace_back();
    for (std::size_t j = 0; j < rows.width(); ++j)
      if (RowsOf(allowed)[i][j] != 0) keys.push_back(j);
    std::stable_sort(keys.begin(), keys.end(),
                     [row = rows[i]](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  }
  return orders;
}

// Without the first keys of each row; a row keeps its last key.
Tensor without(const Tensor& weights, const std::vector<std::vector<std::size_t>>& orders,
               std::size_t count) {
  Tensor result = weights;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const std::span<double> row = row_of(result, i);
    const double before = sum_of(row);
    const std::size_t taken = std::min(count, std::max<std::size_t>(orders[i].size(), 1) - 1);
    for (std::size_t k = 0; k < taken; ++k) row[orders[i][k]] = 0;
    const double left = sum_of(row);
    const auto kept = static_cast<double>(orders[i].size() - taken);
    for (std::size_t k = taken; k < orders[i].size(); ++k) {
      double& x = row[orders[i][k]];
      x = left > 0 ? x * before / left : before / kept;  // what is left had no weight: alike
    }
  }
  return result;
}

void probe(const MeasureIn& in, Subject& subject, Finding& found) {
  const Subject::Answer usual = subject.usual();
  const Tensor allowed = subject.allowed();
  const auto orders = order_of(importance(in, subject, usual), allowed);
  std::size_t most = 1;
  for (const auto& keys : orders) most = std::max(most, keys.size());
  const RowsOf decided(usual.output);
  std::vector<double> flipped_at(decided.count(), 1), curve;
  for (std::size_t count = 1; count < most; ++count) {
    const Tensor output = subject.output_with(without(usual.weights, orders, count));
    double flipped = 0;
    for (std::size_t i = 0; i < decided.count(); ++i) {
      const bool other = largest_of(RowsOf(output)[i]) != largest_of(decided[i]);
      const double share = static_cast<double>(count) / static_cast<double>(most);
      if (other) flipped_at[i] = std::min(flipped_at[i], share);
      flipped += flipped_at[i] < 1 ? 1 : 0;
    }
    curve.push_back(flipped / static_cast<double>(decided.count()));
  }
  for (std::size_t e = 0; e < subject.examples(); ++e) {
    const RowRange rows = rows_of_example(usual.output, subject, e);
    const auto first = flipped_at.begin() + static_cast<long>(rows.first);
    const auto last = flipped_at.begin() + static_cast<long>(rows.last);
    found.units.push_back({std::accumulate(first, last, 0.) / static_cast<double>(last - first)});
  }
  found.details.push_back({"share of decisions flipped, by keys removed", vector_of(curve)});
}

}  // namespace

extern const Measure erasure_measure{
    .id = "erasure",
    .inputs = {{"document", InputType::document}},
    .knobs = {choice_knob("order", "weight",
                          {"weight", "gradient", "gradient-times-weight", "random"}),
              integer_knob("seed", 0., 0, 1000).at_least(0)},
    .lowest = 0,
    .highest = 1,
    .probe = probe,
    .value = mean_value};
}  // namespace attend::erasure_entry
