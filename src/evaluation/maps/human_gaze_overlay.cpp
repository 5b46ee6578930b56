// SPDX-License-Identifier: Apache-2.0
// A map of weights over a map of where people looked: their rank correlation, and the weight that lies where people
// looked most (attention correctness with that region).
// Brauwers & Frasincar 2022, section 4.2.1, arXiv:2203.14263
#include <algorithm>
#include <cmath>

#include "evaluation/measure.h"
#include "evaluation/ranks.h"
#include "evaluation/rows.h"

namespace attend::human_gaze_overlay_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("map", "gaze");
  const Tensor &map = in.tensor("map"), &gaze = in.tensor("gaze");
  const double rho = spearman(map.data, gaze.data);
  if (std::isnan(rho))
    found.notes.emplace_back("a map has the same value everywhere, so its cells cannot be ranked");
  const RowsOf rows(map), looks(gaze);
  Tensor region = gaze;
  double inside = 0;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const double peak = *std::ranges::max_element(looks[i]);
    for (std::size_t j = 0; j < rows.width(); ++j) {
      const bool looked = peak > 0 && looks[i][j] >= in.settings.number("share") * peak;
      row_of(region, i)[j] = looked ? 1 : 0;
      if (looked) inside += rows[i][j];
    }
  }
  found.units.push_back({rho, inside / static_cast<double>(rows.count())});
  found.details.push_back({"region", std::move(region)});
}

double value(const Settings& /*settings*/, Units units, Details* details) {
  if (details != nullptr)
    details->push_back({"attention correctness",
                        vector_of({sum_of(units)[1] / static_cast<double>(units.size())})});
  return mean_of(units);
}

}  // namespace

extern const Measure human_gaze_overlay_measure{
    .id = "human-gaze-overlay",
    .inputs = {{"map", InputType::map, true, InputRole::weights}, {"gaze", InputType::map}},
    .knobs = {number_knob("share", .5, 0, 1)},
    .better = Better::higher,
    .lowest = -1,
    .highest = 1,
    .examine = examine,
    .value = value};
}  // namespace attend::human_gaze_overlay_entry
