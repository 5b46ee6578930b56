// SPDX-License-Identifier: Apache-2.0
// Attention augmented convolution: some channels come from a convolution, some from attention over
// the whole image that knows heights and widths,
//   e_ij = q_i (k_j + r_W(x_j - x_i) + r_H(y_j - y_i))^T / sqrt(p),  Y = [conv(X) ; heads W_O]
// Bello et al. 2019, arXiv:1904.09925
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::attention_augmented_conv_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const auto [kernel, W_Q, W_K, W_V, W_O, r_H, r_W] = in.params<7>();
  Graph& graph = in.graph();
  const Var x = places_of(inputs["image"], grid);  // [N C]
  const Var q = let("Q", matmul(x, W_Q));          // [h N p]
  const Var k = let("K", matmul(x, W_K));          // [h N p]
  const Var v = let("V", matmul(x, W_V));          // [h N pv]
  const Shape map{W_Q.extent(0), grid.places(), grid.places()};
  const auto relative = [&](Var table, Var places, std::size_t size) {
    const Var gap = transpose(places) - places + static_cast<double>(size - 1);  // [N N]
    return take(matmul(q, table, false, true), broadcast_to(gap, map));          // [h N N]
  };
  const Var by_height = let("Q r_H^{\\top}", relative(r_H, place_rows(graph, grid), grid.height));
  const Var by_width = let("Q r_W^{\\top}", relative(r_W, place_columns(graph, grid), grid.width));
  const double scale = 1 / std::sqrt(static_cast<double>(q.extent(-1)));
  const Var e = let("E", (matmul(q, k, false, true) + by_height + by_width) * scale);
  const Var a = let("A", softmax(e));                                    // [h N N]
  const Var attended = let("C", matmul(join_heads(matmul(a, v)), W_O));  // [N da]
  const ImageCut cut = centred(grid.height, grid.width, kernel.extent(0), kernel.extent(1));
  const Var seen =
      let("\\operatorname{conv}(X)",
          convolve(reshape(x, {grid.height, grid.width, grid.channels}), kernel, cut));  // [H W dc]
  return {{out::scores, e, "h m n"},
          {out::weights, a, "h m n"},
          {"convolved", seen, "H W dc"},
          {out::result, concat({seen, image_from(attended, grid)}, -1), "H W dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &image = in["image"], &kernel = in.parameter("kernel");
  Array W_O = in.parameter("W_O");
  const Array &W_Q = in.parameter("W_Q"), &W_K = in.parameter("W_K"), &W_V = in.parameter("W_V");
  const std::size_t H = image.shape[0], W = image.shape[1], C = image.data.size() / (H * W);
  const std::size_t h = W_Q.shape[0], dc = kernel.cols();
  Array pixels = image;
  pixels.shape = {H * W, C};
  W_O.shape = {h, W_V.cols(), W_O.cols()};
  std::vector<Array> queries, keys, values;
  for (std::size_t t = 0; t < h; ++t) {
    queries.push_back(product(pixels, part_of(W_Q, t)));
    keys.push_back(product(pixels, part_of(W_K, t)));
    values.push_back(product(pixels, part_of(W_V, t)));
  }
  Array weights({h, H * W, H * W}), out({H, W, dc + W_O.cols()});
  for (std::size_t i = 0; i < H * W; ++i) {
    const std::size_t y = i / W, x = i % W, size = kernel.shape[0];
    for (std::size_t o = 0; o < dc; ++o)
      for (std::size_t r = 0; r < size; ++r)
        for (std::size_t s = 0; s < size; ++s)
          for (std::size_t c = 0; c < C; ++c) {
            const long row = long(y + r) - long((size - 1) / 2);
            const long column = long(x + s) - long((size - 1) / 2);
            if (row < 0 || column < 0 || row >= long(H) || column >= long(W)) continue;
            out(y, x, o) += image.data[(std::size_t(row) * W + std::size_t(column)) * C + c] *
                            kernel(r, s, c, o);
          }
    for (std::size_t t = 0; t < h; ++t) {
      const Row e = row_by(H * W, [&](std::size_t j) {
        const Row near = plus(keys[t].row(j), in.parameter("r_H").row(j / W + H - 1 - y));
        const Row key = plus(near, in.parameter("r_W").row(j % W + W - 1 - x));
        return inner(queries[t].row(i), key) / std::sqrt(double(queries[t].cols()));
      });
      weights.set(softened(e), t, i);
      const Row said = mapped(mapped(softened(e), values[t]), part_of(W_O, t));
      for (std::size_t o = 0; o < W_O.cols(); ++o) out(y, x, dc + o) += said[o];
    }
  }
  return {{"weights", weights}, {"output", out}};
}

extern const Mechanism record{
    .id = "attention-augmented-conv",
    .aliases = {"aa-conv"},
    .parameters = {{"kernel", "size size C dc"},
                   {"W_Q", "h C p"},
                   {"W_K", "h C p"},
                   {"W_V", "h C pv"},
                   {"W_O", "h*pv da"},
                   {"r_H", "2*H-1 p", Distribution::unit},
                   {"r_W", "2*W-1 p", Distribution::unit}},
    .symbols = {{"p", "ceil(da/h)"}, {"pv", "p"}},
    .knobs = {size_knob("size", "size", 3., 1, 9), size_knob("filters", "dc", "C", 1, 64),
              size_knob("attended", "da", "C", 1, 64), size_knob("count", "h", 2., 1, 8)},
    .roles = {{"image", "H W C | H W"}},
    .excludes = {never_causal("images-have-no-order"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"},
                    {"multiplicity", "multi-head"}},
    .extents = {{"H", 3}, {"W", 4}, {"C", 2}},
    .behaviour = Structure{build}};
}  // namespace attend::attention_augmented_conv_entry
