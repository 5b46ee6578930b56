// SPDX-License-Identifier: Apache-2.0
// Peak signal-to-noise ratio:  10 log10(L^2 / MSE)  in decibels, L the largest number that a pixel may have.
#include <cmath>

#include "evaluation/measure.h"

namespace attend {
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

namespace measures {
extern const MeasureEntry psnr_entry;
const MeasureEntry psnr_entry{
    .words =
        {.title = "Peak signal-to-noise ratio",
         .formula = R"(10 \log_{10} \frac{L^2}{\operatorname{MSE}})",
         .sentence =
             "How small the mean squared error of an image is compared with the largest number a "
             "pixel may have, in decibels.",
         .tells =
             "Tells how near the pixels are one by one; it does not know what an eye notices, so a slight "
             "shift costs more than a blur.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "psnr",
               .inputs = {{"image", InputType::image, "The image."},
                          {"reference", InputType::image, "What it should be."}},
               .knobs = {number_knob("L", "Largest number of a pixel", 1., 1, 255).above(0)},
               .better = Better::higher,
               .examine = examine,
               .value = mean_value}};
}  // namespace measures
}  // namespace attend
