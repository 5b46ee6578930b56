// SPDX-License-Identifier: Apache-2.0
// Intersection over union (Jaccard index) of two regions: where image and reference reach a threshold.
#include "evaluation/measure.h"

namespace attend::iou_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("reference", "image");
  const Tensor &x = in.tensor("image"), &y = in.tensor("reference");
  const double threshold = in.settings.number("threshold");
  double both = 0, either = 0;
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const bool a = x.data[i] >= threshold, b = y.data[i] >= threshold;
    both += a && b ? 1 : 0;
    either += a || b ? 1 : 0;
  }
  if (either == 0) found.notes.emplace_back("neither image reaches the threshold anywhere");
  found.units.push_back({either > 0 ? both / either : not_a_number});
  found.details.push_back({"intersection", vector_of({both})});
  found.details.push_back({"union", vector_of({either})});
}

}  // namespace

extern const Measure iou_measure{
    .id = "iou",
    .aliases = {"jaccard"},
    .inputs = {{"image", InputType::image}, {"reference", InputType::image}},
    .knobs = {number_knob("threshold", .5, 0, 1)},
    .better = Better::higher,
    .lowest = 0,
    .highest = 1,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::iou_entry
