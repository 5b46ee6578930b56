// SPDX-License-Identifier: Apache-2.0
// Structural similarity, the mean over all windows that lie inside the image:
//   (2 mx my + C1)(2 sxy + C2) / ((mx^2 + my^2 + C1)(sx^2 + sy^2 + C2)),  C1 = (.01 L)^2, C2 = (.03 L)^2
// Wang, Bovik, Sheikh, Simoncelli 2004, https://doi.org/10.1109/TIP.2003.819861
#include <cmath>

#include "evaluation/measure.h"

namespace attend::ssim_entry {
namespace {

// The weights of a window's pixels along one side; their products sum to 1.
std::vector<double> window_of(const Settings& settings) {
  const std::size_t size = settings.integer("size");
  std::vector<double> weights(size, 1);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double off = static_cast<double>(i) - static_cast<double>(size - 1) / 2;
    const double sigma = settings.number("sigma");
    if (settings.text("window") == "gaussian")
      weights[i] = std::exp(-off * off / (2 * sigma * sigma));
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

struct Window {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;  // weighted means
};

void examine(const MeasureIn& in, Finding& found) {
  in.need_alike("reference", "image");
  const Tensor &a = in.tensor("image"), &b = in.tensor("reference");
  const std::size_t height = a.shape[0], width = a.shape[1];
  const std::size_t channels = a.shape.size() > 2 ? a.shape[2] : 1;
  const std::vector<double> w = window_of(in.settings);
  const std::size_t size = w.size();
  if (height < size || width < size)
    in.refuse_input("image", "the image is " + std::to_string(height) + " x " +
                                 std::to_string(width) + ", smaller than the window of " +
                                 std::to_string(size) + "; set size to a smaller number");
  const double peak = in.settings.number("L");
  const double c1 = std::pow(.01 * peak, 2), c2 = std::pow(.03 * peak, 2);
  const std::size_t rows = height - size + 1, columns = width - size + 1;
  if (static_cast<double>(rows * columns) * static_cast<double>(size * size * channels) > 2e9)
    in.refuse_input(
        "image",
        "too many pixels in too many windows; make the image smaller or set size to a smaller number");
  Tensor map{{rows, columns}, std::vector<double>(rows * columns)};
  const auto similarity = [&](std::size_t top, std::size_t left, std::size_t c) {
    Window s;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const std::size_t at = ((top + i) * width + left + j) * channels + c;
        const double x = a.data[at], y = b.data[at], weight = w[i] * w[j];
        s.x += weight * x;
        s.y += weight * y;
        s.xx += weight * x * x;
        s.yy += weight * y * y;
        s.xy += weight * x * y;
      }
    }
    const double vx = s.xx - s.x * s.x, vy = s.yy - s.y * s.y, both = s.xy - s.x * s.y;
    return (2 * s.x * s.y + c1) * (2 * both + c2) / ((s.x * s.x + s.y * s.y + c1) * (vx + vy + c2));
  };
  double sum = 0;
  for (std::size_t k = 0; k < map.data.size(); ++k) {
    for (std::size_t c = 0; c < channels; ++c)
      map.data[k] += similarity(k / columns, k % columns, c) / static_cast<double>(channels);
    sum += map.data[k];
  }
  found.units.push_back({sum / static_cast<double>(map.data.size())});
  found.details.push_back({"map", std::move(map)});
}

}  // namespace

extern const Measure ssim_measure{
    .id = "ssim",
    .inputs = {{"image", InputType::image}, {"reference", InputType::image}},
    .knobs = {choice_knob("window", "gaussian", {"gaussian", "block"}),
              integer_knob("size", 11., 1, 21).at_least(1),
              number_knob("sigma", 1.5, .5, 4).above(0), number_knob("L", 1., 1, 255).above(0)},
    .better = Better::higher,
    .lowest = -1,
    .highest = 1,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::ssim_entry
