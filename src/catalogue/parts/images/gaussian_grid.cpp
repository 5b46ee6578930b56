// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/images/gaussian_grid.h"

#include <algorithm>
#include <cmath>

namespace attend {
namespace {

// Narrower than this a Gaussian is one pixel; the bound keeps its inverse finite.
constexpr double narrowest = -80;

struct Spread {
  Var spacing, log_variance;  // [1 1]
  std::size_t count;
};

// centre [1 1], from -1 to 1 across the image -> [N size]
Var filters(const Spread& spread, Var centre, std::size_t size) {
  Graph& graph = centre.graph();
  const double middle = static_cast<double>(spread.count) / 2 + 0.5;
  const Var g = (centre + 1) * (static_cast<double>(size + 1) / 2);  // [1 1]
  const Var mu =
      let("\\mu", g + (iota(graph, spread.count, 2) + 1 - middle) * spread.spacing);  // [N 1]
  const Var gap = iota(graph, size) + 1 - mu;                                         // [N size]
  return softmax(gap * gap * exp(-spread.log_variance) * -0.5);
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

}  // namespace

GaussianGrid gaussian_grid(Var five, std::size_t N, std::size_t H, std::size_t W) {
  const auto number = [&](std::size_t i) { return slice(five, -1, i, i + 1); };
  // A grid of one point has no spacing.
  const double span = static_cast<double>(std::max(H, W) - 1) /
                      static_cast<double>(std::max<std::size_t>(N - 1, 1));
  const Spread spread{let("\\delta", exp(number(3)) * span),
                      let("\\ln s^2", maximum(number(2), scalar(five, narrowest))), N};
  const Var filter_x = let("F_X", filters(spread, number(0), W));  // [N W]
  const Var filter_y = let("F_Y", filters(spread, number(1), H));  // [N H]
  return {filter_x, filter_y, let("\\gamma", exp(number(4)))};
}

GridByLoops grid_by_loops(const Row& five, std::size_t N, std::size_t H, std::size_t W) {
  const double longest = static_cast<double>(std::max(H, W)) - 1;
  const double delta = N == 1 ? 0 : longest / (static_cast<double>(N) - 1) * std::exp(five[3]);
  return {bank(five[0], delta, five[2], N, W), bank(five[1], delta, five[2], N, H),
          std::exp(five[4])};
}

Array patch_by_loops(const GridByLoops& grid, const Array& image) {
  const std::size_t N = grid.filter_x.rows();
  Array patch({N, N});
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t b = 0; b < image.rows(); ++b)
        for (std::size_t a = 0; a < image.cols(); ++a)
          patch(i, j) += grid.gamma * grid.filter_y(i, b) * image(b, a) * grid.filter_x(j, a);
  return patch;
}

}  // namespace attend
