// SPDX-License-Identifier: Apache-2.0
// Peak signal-to-noise ratio:  10 log10(L^2 / MSE)  in decibels, L the largest number that a pixel may have.
#include <cmath>

#include "evaluation/measure.h"

namespace attend::psnr_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("reference", "image");
  const Tensor &x = in.tensor("image"), &y = in.tensor("reference");
  const double peak = in.settings.number("L");
  double error = 0;
  for (std::size_t i = 0; i < x.data.size(); ++i)
    error += (x.data[i] - y.data[i]) * (x.data[i] - y.data[i]);
  error /= static_cast<double>(x.data.size());
  if (error == 0) found.notes.emplace_back("the images are equal: the ratio is infinite");
  found.units.push_back({10 * std::log10(peak * peak / error)});
  found.details.push_back({"mean squared error", vector_of({error})});
}

}  // namespace

extern const Measure psnr_measure{
    .id = "psnr",
    .inputs = {{"image", InputType::image}, {"reference", InputType::image}},
    .knobs = {number_knob("L", 1., 1, 255).above(0)},
    .better = Better::higher,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::psnr_entry
