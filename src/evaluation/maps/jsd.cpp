// SPDX-License-Identifier: Apache-2.0
// Jensen-Shannon divergence of two maps, the mean over rows:  KL(p || m) / 2 + KL(q || m) / 2,  m = (p + q) / 2
// Jain, Wallace 2019, arXiv:1902.10186
#include "evaluation/divergence.h"
#include "evaluation/measure.h"
#include "evaluation/rows.h"

namespace attend::jsd_entry {
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

extern const Measure jsd_measure;
const Measure jsd_measure{
    .id = "jsd",
    .inputs = {{"map", InputType::map, true, InputRole::weights}, {"other", InputType::map}},
    .lowest = 0,
    .highest = 0.6931471805599453,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::jsd_entry
