// SPDX-License-Identifier: Apache-2.0
// Entropy of each row of weights, by that of a row that looks everywhere alike:  -sum_j a_j ln a_j / ln n
// and the share of rows whose largest weight reaches a threshold.
// Galassi, Lippi, Torroni 2021, section VI-C (in words), arXiv:1902.02181
#include <algorithm>
#include <cmath>

#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend::entropy_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  const RowsOf rows(in.tensor("map"));
  if (in.has("mask")) in.need_alike("map", "mask");
  const Tensor& mask = in.has("mask") ? in.tensor("mask") : in.tensor("map");
  const RowsOf allowed(mask);
  std::vector<double> entropies, peaks;
  double sum = 0, confident = 0, counted = 0;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const double total = sum_of(rows[i]);
    double bits = 0, peak = 0, keys = 0;
    for (std::size_t j = 0; j < rows.width(); ++j) {
      keys += !in.has("mask") || allowed[i][j] != 0 ? 1 : 0;
      const double share = total > 0 ? rows[i][j] / total : 0;
      if (share > 0) bits -= share * std::log(share);
      peak = std::max(peak, rows[i][j]);
    }
    if (in.settings.flag("normalised")) bits = keys > 1 ? bits / std::log(keys) : 0;
    entropies.push_back(bits);
    peaks.push_back(peak);
    if (total <= 0) continue;  // it looks nowhere
    sum += bits;
    confident += peak >= in.settings.number("threshold") ? 1 : 0;
    ++counted;
  }
  if (counted < static_cast<double>(rows.count()))
    found.notes.emplace_back("rows without any weight do not count");
  found.units.push_back({sum, confident, counted});
  found.details.push_back({"by row", vector_of(entropies)});
  found.details.push_back({"largest weight by row", vector_of(peaks)});
}

double value(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  if (sum[2] == 0) return not_a_number;
  if (details != nullptr)
    details->push_back({"share of rows above the threshold", vector_of({sum[1] / sum[2]})});
  return sum[0] / sum[2];
}

}  // namespace

extern const Measure entropy_measure{
    .id = "entropy",
    .aliases = {"attention-entropy"},
    .inputs = {{"map", InputType::map, true, InputRole::weights}, {"mask", InputType::map, false}},
    .knobs = {flag_knob("normalised", true), number_knob("threshold", .5, 0, 1)},
    .better = Better::neither,
    .lowest = 0,
    .examine = examine,
    .value = value};
}  // namespace attend::entropy_entry
