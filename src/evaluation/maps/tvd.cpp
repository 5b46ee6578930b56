// SPDX-License-Identifier: Apache-2.0
// Total variation distance of two answers, the mean over rows:  sum_c |y_c - y'_c| / 2
// Jain, Wallace 2019, arXiv:1902.10186
#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend {
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

namespace measures {
extern const MeasureEntry tvd_entry;
const MeasureEntry tvd_entry{
    .words =
        {.title = "Total variation distance of answers",
         .formula = R"(\tfrac{1}{2} \sum_c |y_c - y'_c|)",
         .sentence =
             "The probability that would have to be moved to make one answer into the other.",
         .tells =
             "Tells how much an answer changed, not whether it changed for the better, nor whether another "
             "class now comes first.",
         .source = {"Jain, Wallace", 2019, "", "https://arxiv.org/abs/1902.10186"}},
    .record = {.id = "tvd",
               .inputs = {{"output", InputType::rows, "The answers, a row of probabilities each.",
                           true, InputRole::answer},
                          {"other", InputType::rows, "Other answers, in the same shape."}},
               .lowest = 0,
               .highest = 1,
               .examine = examine,
               .value = mean_value}};
}  // namespace measures
}  // namespace attend
