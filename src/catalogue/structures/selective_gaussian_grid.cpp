// SPDX-License-Identifier: Apache-2.0
// Selective attention of DRAW: a grid of N x N Gaussian filters on an image X,
//   (g_X g_Y ln s^2 ln delta ln gamma) = h W,  mu_i = g + (i - N/2 - 1/2) delta,
//   F[i,a] ~ exp(-(a - mu_i)^2 / (2 s^2)), rows sum to 1,  patch = gamma F_Y X F_X^T
// Gregor et al. 2015, arXiv:1502.04623
#include "catalogue/entry.h"
#include "catalogue/parts/images/gaussian_grid.h"

namespace attend::selective_gaussian_grid_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var image = inputs["image"];                               // [H W]
  const Var five = let("hW", matmul(inputs["h"], in.param("W")));  // [1 5]
  const GaussianGrid grid = gaussian_grid(five, in.integer("N"), image.extent(0), image.extent(1));
  const Var patch = let("\\text{patch}", grid.gamma * matmul(matmul(grid.filter_y, image),
                                                             grid.filter_x, false, true));
  return {{"filter_x", grid.filter_x, "N:feature W"},
          {"filter_y", grid.filter_y, "N:feature H"},
          {"patch", patch, "N:feature N:feature"},
          {out::result, patch, "N:feature N:feature"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& image = in["image"];
  const GridByLoops grid = grid_by_loops(mapped(in["h"].row(0), in.parameter("W")), in.integer("N"),
                                         image.rows(), image.cols());
  const Array patch = patch_by_loops(grid, image);
  return {{"filter_x", grid.filter_x},
          {"filter_y", grid.filter_y},
          {"patch", patch},
          {"output", patch}};
}

extern const Mechanism record{.id = "selective-gaussian-grid",
                              .aliases = {"draw-attention"},
                              .parameters = {{"W", "dh 5"}},
                              .knobs = {integer_knob("N", 5., 1, 12).at_least(1)},
                              .roles = {{"image", "H W"}, {"h", "1 dh"}},
                              .extents = {{"H", 6}, {"W", 7}, {"dh", 4}, {"1", 1}},
                              .behaviour = Structure{build}};
}  // namespace attend::selective_gaussian_grid_entry
