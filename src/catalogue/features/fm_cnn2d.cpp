// SPDX-License-Identifier: Apache-2.0
// Convolution of an image:  F = pool(act(conv(X) + b)), zeros outside, the largest of each window
// LeCun et al. 1989; Goodfellow, Bengio, Courville 2016, chapter 9
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::fm_cnn2d_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "x");
  Dimensions d;
  d.set("c_in", grid.channels);
  const Scope in = sized_by_image(module, grid, d);
  const Var kernel = in.param("kernel");  // [size size c_in c_out]
  const ImageCut cut =
      centred(grid.height, grid.width, kernel.extent(0), kernel.extent(1), in.integer("stride"));
  const std::size_t pool = in.integer("pool");
  if (pool > cut.rows || pool > cut.columns)
    refuse(in.choice.path + "/pool",
           "a window of " + std::to_string(pool) + " by " + std::to_string(pool) +
               " is larger than the result of the convolution, " + std::to_string(cut.rows) +
               " by " + std::to_string(cut.columns));
  const Var seen = convolve(with_channels(inputs["x"], grid), kernel, cut);  // [H' W' c_out]
  Var f = let("F", in.activate(seen + in.param("b")));
  if (pool > 1) f = let("F'", max_pool(f, pool, pool));
  return {{out::output, f, "H W C"},
          {"rows", reshape(f, {f.extent(0) * f.extent(1), f.extent(2)}), "n C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["x"]);
  const Array &K = in.parameter("kernel"), &b = in.parameter("b");
  const std::size_t H = image.shape[0], W = image.shape[1], size = K.shape[0];
  const auto stride = std::size_t(in.number("stride")), pool = std::size_t(in.number("pool"));
  const auto at = [&](std::size_t y, std::size_t x, std::size_t o) {
    double sum = b(o);
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t s = 0; s < size; ++s) {
        const long row = long(y * stride + r) - long((size - 1) / 2);
        const long column = long(x * stride + s) - long((size - 1) / 2);
        if (row < 0 || column < 0 || row >= long(H) || column >= long(W)) continue;
        for (std::size_t c = 0; c < image.shape[2]; ++c)
          sum += image(row, column, c) * K(r, s, c, o);
      }
    return activate(in.text("act"), sum);
  };
  const std::size_t rows = (H + stride - 1) / stride / pool,
                    columns = (W + stride - 1) / stride / pool;
  Array out({rows, columns, K.cols()}, -1e300);
  for (std::size_t y = 0; y < rows * pool; ++y)
    for (std::size_t x = 0; x < columns * pool; ++x)
      for (std::size_t o = 0; o < K.cols(); ++o) {
        double& cell = out(y / pool, x / pool, o);
        cell = std::max(cell, at(y, x, o));
      }
  Array flat = out;
  flat.shape = {rows * columns, K.cols()};
  return {{"output", out}, {"rows", flat}};
}

extern const Mechanism record{
    .id = "fm-cnn2d",
    .parameters = {{"kernel", "size size c_in c_out"}, {"b", "c_out", Distribution::zero}},
    .knobs = {size_knob("size", "size", 3., 1, 9), size_knob("filters", "c_out", 4., 1, 64),
              integer_knob("stride", 1., 1, 4).at_least(1),
              integer_knob("pool", 1., 1, 2).at_least(1), activation_knob("relu")},
    .roles = {{"x", "H W c_in | H W"}},
    .laws = {.permutation = false},
    .extents = {{"H", 8}, {"W", 9}, {"c_in", 2}},
    .behaviour = Structure{build}};
}  // namespace attend::fm_cnn2d_entry
