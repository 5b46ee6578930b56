// SPDX-License-Identifier: Apache-2.0
// Intersection over union (Jaccard index) of two regions: where image and reference reach a threshold.
#include "evaluation/measure.h"

namespace attend {
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

namespace measures {
extern const MeasureEntry iou_entry;
const MeasureEntry iou_entry{
    .words =
        {.title = "Intersection over union",
         .formula = R"(\frac{|A \cap B|}{|A \cup B|})",
         .sentence =
             "The area that two regions share, divided by the area that at least one of them "
             "covers.",
         .tells =
             "Tells how well two regions lie on each other; regions that do not touch all score 0, however "
             "near they are.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "iou",
               .aliases = {"jaccard"},
               .inputs = {{"image", InputType::image, "Where the model looks, or what it marks."},
                          {"reference", InputType::image, "The true region."}},
               .knobs = {number_knob("threshold", "Belongs to the region from", .5, 0, 1)},
               .better = Better::higher,
               .lowest = 0,
               .highest = 1,
               .examine = examine,
               .value = mean_value}};
}  // namespace measures
}  // namespace attend
