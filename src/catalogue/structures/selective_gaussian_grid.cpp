// SPDX-License-Identifier: Apache-2.0
// Selective attention of DRAW: a grid of N x N Gaussian filters on an image X,
//   (g_X g_Y ln s^2 ln delta ln gamma) = h W,  mu_i = g + (i - N/2 - 1/2) delta,
//   F[i,a] ~ exp(-(a - mu_i)^2 / (2 s^2)), rows sum to 1,  patch = gamma F_Y X F_X^T
// Gregor et al. 2015, arXiv:1502.04623
#include <algorithm>
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

// Narrower than this a Gaussian is one pixel; the bound keeps its inverse finite.
constexpr double narrowest = -80;

struct Grid {
  Var spacing, log_variance;  // [1 1]
  std::size_t count;
};

// centre [1 1], from -1 to 1 across the image -> [N size]
Var filters(const Grid& grid, Var centre, std::size_t size) {
  Graph& graph = centre.graph();
  const double middle = static_cast<double>(grid.count) / 2 + 0.5;
  const Var g = (centre + 1) * (static_cast<double>(size + 1) / 2);  // [1 1]
  const Var mu =
      let("\\mu", g + (iota(graph, grid.count, 2) + 1 - middle) * grid.spacing);  // [N 1]
  const Var gap = iota(graph, size) + 1 - mu;                                     // [N size]
  return softmax(gap * gap * exp(-grid.log_variance) * -0.5);
}

void build(const ModuleIn& in) {
  const Var image = in.need("image");  // [H W]
  const std::size_t H = image.extent(0), width = image.extent(1), N = in.integer("N");
  const Var five = let("hW", matmul(in.need("h"), in.param("W")));  // [1 5]
  const auto number = [&](std::size_t i) { return slice(five, -1, i, i + 1); };
  // A grid of one point has no spacing.
  const double span = static_cast<double>(std::max(H, width) - 1) /
                      static_cast<double>(std::max<std::size_t>(N - 1, 1));
  const Grid grid{let("\\delta", exp(number(3)) * span),
                  let("\\ln s^2", maximum(number(2), scalar(five, narrowest))), N};
  const Var filter_x = let("F_X", filters(grid, number(0), width));  // [N W]
  const Var filter_y = let("F_Y", filters(grid, number(1), H));      // [N H]
  const Var gamma = let("\\gamma", exp(number(4)));                  // [1 1]
  in.output("filter_x", filter_x, "N W");
  in.output("filter_y", filter_y, "N H");
  const Var patch =
      let("\\text{patch}", gamma * matmul(matmul(filter_y, image), filter_x, false, true));
  in.output("patch", patch, "N N");
  in.result(patch, "N N");
}

Array bank(double centre, double spacing, double log_variance, std::size_t N, std::size_t size) {
  Array bank({N, size});
  for (std::size_t i = 1; i <= N; ++i) {
    const double mu = (static_cast<double>(size) + 1) * (centre + 1) / 2 +
                      (static_cast<double>(i) - static_cast<double>(N) / 2 - 0.5) * spacing;
    double total = 0;
    for (std::size_t a = 1; a <= size; ++a) {
      const double gap = static_cast<double>(a) - mu;
      total += bank(i - 1, a - 1) = std::exp(-gap * gap / (2 * std::exp(log_variance)));
    }
    for (std::size_t a = 0; a < size; ++a) bank(i - 1, a) /= total;
  }
  return bank;
}

Arrays reference(const ReferenceIn& in) {
  const Array& image = in["image"];
  const auto N = static_cast<std::size_t>(in.number("N"));
  const Row five = mapped(in["h"].row(0), in.parameter("W"));
  const double longest = static_cast<double>(std::max(image.rows(), image.cols())) - 1;
  const double delta = N == 1 ? 0 : longest / (static_cast<double>(N) - 1) * std::exp(five[3]);
  const Array x = bank(five[0], delta, five[2], N, image.cols());
  const Array y = bank(five[1], delta, five[2], N, image.rows());
  Array patch({N, N});
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t b = 0; b < image.rows(); ++b)
        for (std::size_t a = 0; a < image.cols(); ++a)
          patch(i, j) += std::exp(five[4]) * y(i, b) * image(b, a) * x(j, a);
  return {{"filter_x", x}, {"filter_y", y}, {"patch", patch}, {"output", patch}};
}

}  // namespace

namespace catalogue {
extern const Entry selective_gaussian_grid_entry;
const Entry selective_gaussian_grid_entry{
    .words =
        {.title = "Selective attention, grid of Gaussians",
         .formula =
             R"(\mu_i = g + (i - \tfrac N2 - \tfrac12)\,\delta,\quad F_{ia} \propto \exp\!\left(-\tfrac{(a-\mu_i)^2}{2 s^2}\right),\quad \text{patch} = \gamma\, F_Y X F_X^{\top})",
         .sentence =
             "A grid of soft points is laid on the image: it can move, zoom and blur, and reads one "
             "small patch.",
         .source = {"Gregor et al.", 2015, "selective attention",
                    "https://arxiv.org/abs/1502.04623"}},
    .record = {.id = "selective-gaussian-grid",
               .aliases = {"draw-attention"},
               .parameters = {{"W", "dh 5"}},
               .knobs = {integer_knob("N", "Points on each side N", 5., 1, 12).at_least(1)},
               .roles = {{"image", "H W"}, {"h", "1 dh"}},
               .extents = {{"H", 6}, {"W", 7}, {"dh", 4}, {"1", 1}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
