// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/scope.h"

// A grid of N x N Gaussian filters on an image, by which DRAW reads and writes. Gregor et al. 2015.
namespace attend {

struct GaussianGrid {
  Var filter_x, filter_y;  // [N W] [N H], rows sum to 1
  Var gamma;               // [1 1], how strong it is
};

// From five numbers [1 5]: g_X, g_Y, ln s^2, ln delta, ln gamma; the image has H rows and W columns.
GaussianGrid gaussian_grid(Var five, std::size_t N, std::size_t H, std::size_t W);

// The same by plain loops.
struct GridByLoops {
  Array filter_x, filter_y;
  double gamma;
};
GridByLoops grid_by_loops(const Row& five, std::size_t N, std::size_t H, std::size_t W);
// gamma F_Y X F_X^T
Array patch_by_loops(const GridByLoops& grid, const Array& image);

}  // namespace attend
