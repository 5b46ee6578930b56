// SPDX-License-Identifier: Apache-2.0
// Stand-alone self-attention on an image: every place attends to the k x k places around it,
//   e_ij = q_i k_j^T + q_i [r_row(y_j - y_i) ; r_col(x_j - x_i)]^T,  C_i = sum_j softmax(e_i)_j v_j
// Ramachandran et al. 2019, arXiv:1906.05909
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "ops/listed.h"

namespace attend::standalone_local_entry {
namespace {

// The squares around all places, each as a list of its k*k places, row by row.
struct Square {
  Var rows, columns;  // [N k*k], the place within the square
  Var places;         // [N k*k], the place of the image; one outside is the nearest inside
  Var inside;         // [N k*k] of 0 and 1
  double reach;

  Square(Graph& graph, const Grid& grid, std::size_t side) : reach(double(side / 2)) {
    const Shape shape{grid.places(), side * side};
    const Var at = iota(graph, side * side), row = floor(at / double(side));
    rows = broadcast_to(row, shape);
    columns = broadcast_to(at - row * double(side), shape);
    const Var y = place_rows(graph, grid) + rows - reach,
              x = place_columns(graph, grid) + columns - reach;
    const double last_y = double(grid.height - 1), last_x = double(grid.width - 1);
    const Var near_y = clip(y, 0, last_y), near_x = clip(x, 0, last_x);
    places = near_y * double(grid.width) + near_x;
    inside = let("M_{k}", equal(y, near_y) * equal(x, near_x));
  }
  // How far along one axis each place lies from each, as a place within the square: [N N].
  [[nodiscard]] Var gaps(Var along) const {
    return clip(transpose(along) - along + reach, 0, 2 * reach);
  }
};

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const auto [W_Q, W_K, W_V, r_row, r_col] = in.params<5>();
  const std::size_t side = r_row.extent(-2), half = r_row.extent(-1);
  if (side % 2 == 0)
    refuse(in.choice.path + "/k",
           "k must be odd, so that the window has a centre; found " + std::to_string(side));
  if (W_Q.extent(-1) != 2 * half)
    refuse(in.choice.path,
           "the width must be even: one half is for the rows, the other for the columns");
  const Var x = places_of(inputs["image"], grid);                        // [N C]
  const Var q = let("Q", matmul(x, W_Q)), k = let("K", matmul(x, W_K));  // [N d]
  const Square square(in.graph(), grid, side);
  // Scores of a query with the rows and columns of the square: [N side].
  const Var by_row = matmul(slice(q, -1, 0, half), r_row, false, true),
            by_column = matmul(slice(q, -1, half, 2 * half), r_col, false, true);
  const Var near = let("e", listed_products(q, k, square.places) + take(by_row, square.rows) +
                                take(by_column, square.columns));  // [N k*k]
  const Var shares = let("a", softmax(near, square.inside));       // [N k*k]
  // The maps of all pairs are computed where somebody asks for them; larger ones are no tensor that there may be.
  Tensors maps;
  if (grid.places() <= max_elements / grid.places()) {
    const auto all = [&](Var part) { return put(part, square.places, grid.places()); };  // [N N]
    const Var dy = square.gaps(place_rows(in.graph(), grid)),
              dx = square.gaps(place_columns(in.graph(), grid));
    // Places outside the square read its border; they have no weight.
    const Var e = matmul(q, k, false, true) + take(by_row, dy) + take(by_column, dx);
    maps = {{out::scores, let("E", e), "m n"},
            {out::mask, let("M", all(square.inside)), "m n"},
            {out::weights, let("A", all(shares)), "m n"}};
  }
  const Var c = let("C", listed_sums(shares, matmul(x, W_V), square.places));  // [N dv]
  return maps + Tensors{{out::result, image_from(c, grid), "H W dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& image = in["image"];
  const std::size_t H = image.shape[0], W = image.shape[1], C = image.data.size() / (H * W);
  const auto pixel = [&](std::size_t place) {
    return Row(image.data.begin() + long(place * C), image.data.begin() + long(place * C + C));
  };
  const Array &r_row = in.parameter("r_row"), &r_col = in.parameter("r_col");
  const long reach = long(r_row.rows()) / 2;
  const std::size_t half = r_row.cols(), d = in.parameter("W_V").cols();
  Array weights({H * W, H * W}), out({H, W, d});
  for (std::size_t i = 0; i < H * W; ++i) {
    const Row q = mapped(pixel(i), in.parameter("W_Q"));
    const auto apart = [&](std::size_t j) {
      return std::pair{long(j / W) - long(i / W), long(j % W) - long(i % W)};
    };
    const auto inside = [&](std::size_t j) {
      const auto [dy, dx] = apart(j);
      return std::abs(dy) <= reach && std::abs(dx) <= reach;
    };
    Row e(H * W, 0);
    for (std::size_t j = 0; j < H * W; ++j) {
      if (!inside(j)) continue;
      const auto [dy, dx] = apart(j);
      e[j] = inner(q, mapped(pixel(j), in.parameter("W_K")));
      for (std::size_t c = 0; c < half; ++c)
        e[j] += q[c] * r_row(dy + reach, c) + q[half + c] * r_col(dx + reach, c);
    }
    const Row a = soft(e, inside);
    for (std::size_t j = 0; j < H * W; ++j) {
      weights(i, j) = a[j];
      const Row v = mapped(pixel(j), in.parameter("W_V"));
      for (std::size_t c = 0; c < d; ++c) out(i / W, i % W, c) += a[j] * v[c];
    }
  }
  return {{"weights", weights}, {"output", out}};
}

extern const Mechanism record{.id = "standalone-local",
                              .aliases = {"stand-alone-self-attention"},
                              .parameters = {{"W_Q", "C d"},
                                             {"W_K", "C d"},
                                             {"W_V", "C dv"},
                                             {"r_row", "k d/2", Distribution::unit},
                                             {"r_col", "k d/2", Distribution::unit}},
                              .symbols = {{"d", "2*ceil(C/2)"}, {"dv", "d"}},
                              .knobs = {size_knob("k", "k", 3., 1, 11)},
                              .roles = {{"image", "H W C | H W"}},
                              .excludes = {never_causal("images-have-no-order"_reason)},
                              .laws = {.permutation = false},
                              .coordinates = {{"scoring", "multiplicative"},
                                              {"alignment", "local"},
                                              {"type", "self-attentive"}},
                              .extents = {{"H", 4}, {"W", 3}, {"C", 2}},
                              .behaviour = Structure{build}};
}  // namespace attend::standalone_local_entry
