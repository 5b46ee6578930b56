// SPDX-License-Identifier: Apache-2.0
// Self-attention of SAGAN: every place of an image attends to all places, and the result is added
// by a share that starts at 0,
//   B = softmax(G F^T),  F = X W_f, G = X W_g,  Y = gamma (B X W_h) W_v + X
// Zhang et al. 2019, arXiv:1805.08318
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::sagan_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const auto [W_f, W_g, W_h, W_v, gamma] = in.params<5>();
  const Var x = places_of(inputs["image"], grid);                        // [N C]
  const Var f = let("F", matmul(x, W_f)), g = let("G", matmul(x, W_g));  // [N a]
  const Var e = let("E", matmul(g, f, false, true));                     // [N N]
  const Var b = let("B", softmax(e));
  const Var o = let("O", matmul(matmul(b, matmul(x, W_h)), W_v));  // [N C]
  return {{out::scores, e, "m n"},
          {out::weights, b, "m n"},
          {"attended", o, "m d"},
          {out::result, image_from(let("Y", gamma * o + x), grid), "H W C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["image"]);
  Array x({image.shape[0] * image.shape[1], image.shape[2]}), out = image;
  x.data = image.data;
  const AttentionTables seen =
      seen_by(dots(product(x, in.parameter("W_g")), product(x, in.parameter("W_f"))),
              product(x, in.parameter("W_h")));
  const Array o = product(seen.context, in.parameter("W_v"));
  for (std::size_t i = 0; i < out.data.size(); ++i)
    out.data[i] += in.parameter("gamma")() * o.data[i];
  return {{"weights", seen.weights}, {"attended", o}, {"output", out}};
}

extern const Mechanism record{.id = "sagan",
                              .parameters = {{"W_f", "C a"},
                                             {"W_g", "C a"},
                                             {"W_h", "C b"},
                                             {"W_v", "b C"},
                                             {"gamma", "", Distribution::zero}},
                              .symbols = {{"b", "a"}},
                              .knobs = {size_knob("hidden", "a", "ceil(C/8)", 1, 64)},
                              .roles = {{"image", "H W C | H W"}},
                              .coordinates = {{"scoring", "multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .example = R"("hidden": 2)",
                              .extents = {{"H", 4}, {"W", 3}, {"C", 3}},
                              .behaviour = Structure{build}};
}  // namespace attend::sagan_entry
