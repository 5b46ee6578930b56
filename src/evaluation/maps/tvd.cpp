// SPDX-License-Identifier: Apache-2.0
// Total variation distance of two answers, the mean over rows:  sum_c |y_c - y'_c| / 2
// Jain, Wallace 2019, arXiv:1902.10186
#include "evaluation/divergence.h"

namespace attend::tvd_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  examine_distance(in, found, "output", "other", total_variation);
}

}  // namespace

extern const Measure tvd_measure{
    .id = "tvd",
    .inputs = {{"output", InputType::rows, true, InputRole::answer}, {"other", InputType::rows}},
    .lowest = 0,
    .highest = 1,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::tvd_entry
