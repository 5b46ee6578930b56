// SPDX-License-Identifier: Apache-2.0
// Jensen-Shannon divergence of two maps, the mean over rows:  KL(p || m) / 2 + KL(q || m) / 2,  m = (p + q) / 2
// Jain, Wallace 2019, arXiv:1902.10186
#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("map", "other");
  const RowsOf p(in.tensor("map")), q(in.tensor("other"));
  std::vector<double> by_row;
  double sum = 0;
  for (std::size_t i = 0; i < p.count(); ++i) {
    by_row.push_back(jensen_shannon(p[i], q[i]));
    sum += by_row.back();
  }
  found.units.push_back({sum / static_cast<double>(p.count())});
  found.details.push_back({"by row", vector_of(by_row)});
}

}  // namespace

namespace measures {
extern const MeasureEntry jsd_entry;
const MeasureEntry jsd_entry{
    .words =
        {.title = "Jensen-Shannon divergence of weights",
         .formula = R"(\tfrac{1}{2} KL(p \| m) + \tfrac{1}{2} KL(q \| m),\; m = \tfrac{p + q}{2})",
         .sentence =
             "How different two maps are: 0 where they agree, ln 2 = 0.693 where no key has "
             "weight in both.",
         .tells =
             "Tells how different two maps are, not which of them is right, nor whether the difference "
             "matters to the answer.",
         .source = {"Jain, Wallace", 2019, "", "https://arxiv.org/abs/1902.10186"}},
    .record = {.id = "jsd",
               .inputs = {{"map", InputType::map, "The weights.", true, InputRole::weights},
                          {"other", InputType::map, "Other weights, in the same shape."}},
               .lowest = 0,
               .highest = 0.6931471805599453,
               .examine = examine,
               .value = mean_value}};
}  // namespace measures
}  // namespace attend
