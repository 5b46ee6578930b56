// SPDX-License-Identifier: Apache-2.0
// Jensen-Shannon divergence of two maps, the mean over rows:  KL(p || m) / 2 + KL(q || m) / 2,  m = (p + q) / 2
// Jain, Wallace 2019, arXiv:1902.10186
#include "evaluation/divergence.h"

namespace attend::jsd_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  examine_distance(in, found, "map", "other", jensen_shannon);
}

}  // namespace

extern const Measure jsd_measure{
    .id = "jsd",
    .inputs = {{"map", InputType::map, true, InputRole::weights}, {"other", InputType::map}},
    .lowest = 0,
    .highest = 0.6931471805599453,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::jsd_entry
