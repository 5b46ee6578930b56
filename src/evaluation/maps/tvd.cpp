// SPDX-License-Identifier: Apache-2.0
// Total variation distance of two answers, the mean over rows:  sum_c |y_c - y'_c| / 2
// Jain, Wallace 2019, arXiv:1902.10186
#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend::tvd_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("output", "other");
  const RowsOf p(in.tensor("output")), q(in.tensor("other"));
  std::vector<double> by_row;
  double sum = 0;
  for (std::size_t i = 0; i < p.count(); ++i) {
    by_row.push_back(total_variation(p[i], q[i]));
    sum += by_row.back();
  }
  found.units.push_back({sum / static_cast<double>(p.count())});
  found.details.push_back({"by row", vector_of(by_row)});
}

}  // namespace

extern const Measure tvd_measure;
const Measure tvd_measure{
    .id = "tvd",
    .inputs = {{"output", InputType::rows, true, InputRole::answer}, {"other", InputType::rows}},
    .lowest = 0,
    .highest = 1,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::tvd_entry
