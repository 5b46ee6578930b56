// SPDX-License-Identifier: Apache-2.0
// Stand-alone self-attention on an image: every place attends to the k x k places around it,
//   e_ij = q_i k_j^T + q_i [r_row(y_j - y_i) ; r_col(x_j - x_i)]^T,  C_i = sum_j softmax(e_i)_j v_j
// Ramachandran et al. 2019, arXiv:1906.05909
#include <cmath>

#include "catalogue/blocks.h"
#include "catalogue/causal_form.h"
#include "catalogue/entry.h"
#include "catalogue/grid.h"

namespace attend {
namespace {

// How far along one axis each place lies from each, [N N].
Var gaps(Var places) { return transpose(places) - places; }

void build(const ModuleIn& module) {
  const Grid grid = grid_of(module, "image");
  const ModuleIn in = sized_by_image(module, grid);
  const auto [W_Q, W_K, W_V, r_row, r_col] = in.params<5>();
  const std::size_t side = r_row.extent(-2), half = r_row.extent(-1);
  if (side % 2 == 0)
    refuse(in.choice.path + "/k",
           "k must be odd, so that the window has a centre; found " + std::to_string(side));
  if (W_Q.extent(-1) != 2 * half)
    refuse(in.choice.path,
           "the width must be even: one half of it serves the rows, one the columns");
  const double reach = static_cast<double>(side / 2);
  const Var x = places_of(in["image"], grid);                            // [N C]
  const Var q = let("Q", matmul(x, W_Q)), k = let("K", matmul(x, W_K));  // [N d]
  const Var dy = gaps(place_rows(in.graph(), grid)), dx = gaps(place_columns(in.graph(), grid));
  const Var near = scalar(dy, reach + 1);
  const Var mask = let("M", greater(near, absolute(dy)) * greater(near, absolute(dx)));  // [N N]
  // Places outside the window read its border; they have no weight.
  const auto relative = [&](Var part, Var table, Var gap) {
    return take(matmul(part, table, false, true), clip(gap + reach, 0, 2 * reach));
  };
  const Var e = let("E", matmul(q, k, false, true) + relative(slice(q, -1, 0, half), r_row, dy) +
                             relative(slice(q, -1, half, 2 * half), r_col, dx));  // [N N]
  const Var a = let("A", softmax(e, mask));
  in.output(out::scores, e, "m n");
  in.output(out::mask, mask, "m n");
  in.output(out::weights, a, "m n");
  in.result(image_from(let("C", matmul(a, matmul(x, W_V))), grid), "H W dv");
}

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

}  // namespace

namespace catalogue {
extern const Entry standalone_local_entry;
const Entry standalone_local_entry{
    .words =
        {.title = "Stand-alone local self-attention",
         .formula =
             R"(e_{ij} = q_i k_j^{\top} + q_i\,[r^{\text{row}}_{y_j - y_i} ; r^{\text{col}}_{x_j - x_i}]^{\top},\quad C_i = \sum_{j \in k \times k} \operatorname{softmax}_j(e_{ij})\,v_j)",
         .sentence =
             "In the place of a convolution every pixel attends to the small square around it, and "
             "knows which neighbour stands where.",
         .note =
             "Exact attention within the square; places outside the image are left out, and the scores "
             "are not divided. One head. The whole map is computed and masked, so that the cost here "
             "grows with the square of the number of places.",
         .source = {"Ramachandran et al.", 2019, "stand-alone self-attention",
                    "https://arxiv.org/abs/1906.05909"}},
    .record = {.id = "standalone-local",
               .aliases = {"stand-alone-self-attention"},
               .parameters = {{"W_Q", "C d"},
                              {"W_K", "C d"},
                              {"W_V", "C dv"},
                              {"r_row", "k d/2", Distribution::normal},
                              {"r_col", "k d/2", Distribution::normal}},
               .symbols = {{"d", "2*ceil(C/2)"}, {"dv", "d"}},
               .knobs = {size_knob("k", "Side of the square k (odd)", "k", 3., 1, 11)},
               .roles = {{"image", "H W C | H W"}},
               .excludes = {never_causal("Places of an image have no before and after.")},
               .laws = {.permutation = false},
               .coordinates = {{"scoring", "multiplicative"},
                               {"alignment", "local"},
                               {"type", "self-attentive"}},
               .extents = {{"H", 4}, {"W", 3}, {"C", 2}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
