// SPDX-License-Identifier: Apache-2.0
// Deformable attention: a query looks at K points around its own and takes what lies there,
//   C_q = sum_h sum_k A_qhk (X W_V[h])(point_q + offset_qhk) W_O[h],  A = softmax_k(logits),
// between places bilinear, zeros outside the image
// Zhu et al. 2021 (Deformable DETR), arXiv:2010.04159
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::deformable_entry {
namespace {

// One of the four places around each point [h m*K], and what it has of the point: 0 outside the image.
struct Corner {
  Var share, index;  // [h m*K]
};

std::vector<Corner> corners_of(Var y, Var x, const Grid& grid) {
  const Var top = floor(y), left = floor(x);
  std::vector<Corner> corners;
  for (const int down : {0, 1}) {
    for (const int right : {0, 1}) {
      const Var r = top + down, c = left + right;
      const auto inside = [](Var place, std::size_t size) {
        return greater(place, scalar(place, -.5)) *
               greater(scalar(place, static_cast<double>(size) - .5), place);
      };
      const Var share_y = down == 1 ? y - top : 1 - (y - top);
      const Var share_x = right == 1 ? x - left : 1 - (x - left);
      const auto last = [](std::size_t size) { return static_cast<double>(size - 1); };
      corners.push_back({share_y * share_x * inside(r, grid.height) * inside(c, grid.width),
                         detach(clip(r, 0, last(grid.height)) * static_cast<double>(grid.width) +
                                clip(c, 0, last(grid.width)))});
    }
  }
  return corners;
}

// What the values [h pv N] are at the points: [h pv m*K].
Var sampled(Var values, const std::vector<Corner>& corners) {
  Var all;
  for (const Corner& at : corners) {
    const Var corner = take(values, expand(at.index, -2)) * expand(at.share, -2);
    all = all ? all + corner : corner;
  }
  return all;
}

// How much each query takes from each place of the image: [h m H W] of the weights [m h K].
Var spread_over(const Grid& grid, const std::vector<Corner>& corners, Var a) {
  const std::size_t m = a.extent(0), h = a.extent(1), K = a.extent(2);
  const Var weights = permute(a, {1, 0, 2});
  Var all;
  for (const Corner& at : corners) {
    const Var share = weights * reshape(at.share, {h, m, K});
    const Var part = put(share, reshape(at.index, {h, m, K}), grid.places());  // [h m N]
    all = all ? all + part : part;
  }
  return reshape(all, {h, m, grid.height, grid.width});
}

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  Dimensions width;
  width.set("d", grid.channels);
  const Scope in = sized_by_image(module, grid, width);
  const auto [offsets, logits, W_V, W_O] = in.params<4>();
  const Var points = inputs["points"];  // [m 2], (row, column)
  in.label("m", points);
  const std::size_t m = offsets.extent(0), h = offsets.extent(1), K = offsets.extent(2);
  const Var at = let("p", reshape(points, {m, 1, 1, 2}) + offsets);  // [m h K 2]
  const Var a = let("A", softmax(logits));                           // [m h K]
  const Var by_head = reshape(permute(at, {3, 1, 0, 2}), {2, h, m * K});
  const auto axis = [&](std::size_t i) { return squeeze(slice(by_head, 0, i, i + 1), 0); };
  const Var values = let("V", matmul(places_of(inputs["image"], grid), W_V));  // [h N pv]
  const std::vector<Corner> corners = corners_of(axis(0), axis(1), grid);
  const Var found = let("V(p)", sampled(transpose(values), corners));
  const std::size_t pv = found.extent(1);
  const Var shares = reshape(permute(a, {1, 0, 2}), {h, 1, m * K});
  const Var heads = sum(reshape(found * shares, {h, pv, m, K}), -1);  // [h pv m]
  const Var joined = reshape(permute(heads, {2, 0, 1}), {m, h * pv});
  Var map;
  if (m * h <= max_elements / grid.places()) map = let("A(p)", spread_over(grid, corners, a));
  return {{"points", at, "m h K:feature 2"},
          {out::weights, a, "m h K:feature"},
          {out::implied, map, "h m H W"},
          {out::result, let("C", matmul(joined, W_O)), "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &image = in["image"], &points = in["inputs.points"];
  const Array &offsets = in.parameter("offsets"), &logits = in.parameter("logits");
  const Array &W_V = in.parameter("W_V"), &W_O = in.parameter("W_O");
  const std::size_t H = image.shape[0], W = image.shape[1], C = image.data.size() / (H * W);
  const std::size_t m = offsets.shape[0], h = offsets.shape[1], K = offsets.shape[2];
  Array weights({m, h, K}), out({m, W_O.cols()}), implied({h, m, H, W});
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t t = 0; t < h; ++t) {
      const Row line = row_by(K, [&](std::size_t s) { return logits(i, t, s); });
      const Row a = softened(line);
      Row seen(C, 0);
      for (std::size_t s = 0; s < K; ++s) {
        weights(i, t, s) = a[s];
        const double y = points(i, 0) + offsets(i, t, s, 0), x = points(i, 1) + offsets(i, t, s, 1);
        // A place counts by how far it lies from the point, less than 1 along both axes.
        for (std::size_t place = 0; place < H * W; ++place) {
          const double share = std::max(0.0, 1 - std::abs(y - double(place / W))) *
                               std::max(0.0, 1 - std::abs(x - double(place % W)));
          implied.data[(t * m + i) * H * W + place] += a[s] * share;
          for (std::size_t c = 0; c < C; ++c) seen[c] += a[s] * share * image.data[place * C + c];
        }
      }
      for (std::size_t u = 0; u < W_V.cols(); ++u) {
        const double value = sum_over(C, [&](std::size_t c) { return seen[c] * W_V(t, c, u); });
        for (std::size_t o = 0; o < W_O.cols(); ++o)
          out(i, o) += value * W_O(t * W_V.cols() + u, o);
      }
    }
  }
  return {{"weights", weights}, {"implied", implied}, {"output", out}};
}

extern const Mechanism record{
    .id = "deformable",
    .parameters = {{"offsets", "m h K 2", Distribution::unit},
                   {"logits", "m h K", Distribution::unit},
                   {"W_V", "h d pv"},
                   {"W_O", "h*pv dout"}},
    .symbols = {{"pv", "ceil(d/h)"}, {"dout", "d"}},
    .knobs = {size_knob("count", "h", 2., 1, 8), size_knob("K", "K", 4., 1, 16)},
    .roles = {{"image", "H W d | H W"}, {"points", "m 2"}},
    .excludes = {never_causal("images-have-no-order"_reason)},
    .laws = {.permutation = false},
    .around = R"({"inputs": {"points": {"shape": [3, 2],
                             "data": [0.4, 1.3, 2.1, 0.2, 1.7, 2.6]}}})",
    .extents = {{"H", 4}, {"W", 3}, {"d", 2}, {"m", 3}, {"2", 2}},
    .behaviour = Structure{build}};
}  // namespace attend::deformable_entry
