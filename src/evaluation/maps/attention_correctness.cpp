// SPDX-License-Identifier: Apache-2.0
// Attention correctness:  AC = sum_{i in G} a_i, the weight that lies in the region G that a person marked.
// Brauwers & Frasincar 2022, equation 46, arXiv:2203.14263
#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend::attention_correctness_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("map", "region");
  const RowsOf rows(in.tensor("map")), region(in.tensor("region"));
  std::vector<double> by_row;
  double sum = 0, counted = 0;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    double inside = 0, marked = 0;
    for (std::size_t j = 0; j < rows.width(); ++j) {
      const double g = region[i][j];
      if (g != 0 && g != 1) in.refuse_input("region", "expected 1 inside the region and 0 outside");
      inside += g * rows[i][j];
      marked += g;
    }
    by_row.push_back(inside);
    if (marked == 0) continue;
    sum += inside;
    ++counted;
  }
  if (counted < static_cast<double>(rows.count()))
    found.notes.emplace_back("rows without a marked region do not count");
  found.units.push_back({sum, counted});
  found.details.push_back({"by row", vector_of(by_row)});
}

double value(const Settings& /*settings*/, Units units, Details* /*details*/) {
  const Unit sum = sum_of(units);
  return sum[1] > 0 ? sum[0] / sum[1] : not_a_number;
}

}  // namespace

extern const Measure attention_correctness_measure{
    .id = "attention-correctness",
    .inputs = {{"map", InputType::map, true, InputRole::weights}, {"region", InputType::map}},
    .better = Better::higher,
    .lowest = 0,
    .highest = 1,
    .examine = examine,
    .value = value};
}  // namespace attend::attention_correctness_entry
