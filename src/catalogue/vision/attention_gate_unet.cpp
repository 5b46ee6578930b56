// SPDX-License-Identifier: Apache-2.0
// Attention gate of the Attention U-Net: a coarse signal says which places of a finer image pass,
//   a = sigmoid(relu(X W_x + G W_g + b) . psi + b_psi) at every place,  Y = a * X
// Oktay et al. 2018, arXiv:1804.03999
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::attention_gate_unet_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image"), coarse = grid_of(module, inputs, "gating");
  Dimensions more;
  more.set("Cg", coarse.channels);
  const Scope in = sized_by_image(module, grid, more);
  const auto [W_x, W_g, b, psi, b_psi] = in.params<5>();
  const Var image = with_channels(inputs["image"], grid);  // [H W C]
  Var gating = with_channels(inputs["gating"], coarse);
  if (coarse.height != grid.height || coarse.width != grid.width)
    gating = let("G'", resized(gating, grid.height, grid.width));  // [H W Cg]
  const Var own = matmul(places_of(image, grid), W_x);             // [N a]
  const Var asked = matmul(reshape(gating, {grid.places(), coarse.channels}), W_g);
  const Var hidden = let("q", relu(own + asked + b));                               // [N a]
  const Var a = let("\\alpha", sigmoid(matmul(hidden, psi, false, true) + b_psi));  // [N 1]
  const Var map = reshape(a, {grid.height, grid.width, 1});
  return {{out::gate.as("weights"), squeeze(map, -1), "H W"},
          {out::result, let("Y", image * map), "H W C"}};
}

// What the coarse image is at a place of the fine one, both over one square.
double between(const Array& image, double y, double x, std::size_t c) {
  const auto inside = [](double at, std::size_t size) {
    return std::min(std::max(at, 0.0), double(size - 1));
  };
  y = inside(y, image.shape[0]);
  x = inside(x, image.shape[1]);
  const auto top = std::size_t(y), left = std::size_t(x);
  const auto at = [&](std::size_t row, std::size_t column) {
    return image(std::min(row, image.shape[0] - 1), std::min(column, image.shape[1] - 1), c);
  };
  const double down = y - double(top), right = x - double(left);
  return (1 - down) * ((1 - right) * at(top, left) + right * at(top, left + 1)) +
         down * ((1 - right) * at(top + 1, left) + right * at(top + 1, left + 1));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["image"]), gating = coloured(in["gating"]);
  const std::size_t H = image.shape[0], W = image.shape[1];
  Array map({H, W}), out(image.shape);
  for (std::size_t y = 0; y < H; ++y) {
    for (std::size_t x = 0; x < W; ++x) {
      const Row own = image.row(y, x);
      Row coarse(gating.shape[2]);
      for (std::size_t c = 0; c < coarse.size(); ++c)
        coarse[c] = between(gating, (double(y) + .5) * double(gating.shape[0]) / double(H) - .5,
                            (double(x) + .5) * double(gating.shape[1]) / double(W) - .5, c);
      const Row a = mapped(own, in.parameter("W_x")), b = mapped(coarse, in.parameter("W_g"));
      double logit = in.parameter("b_psi")();
      for (std::size_t u = 0; u < a.size(); ++u)
        logit += std::max(0.0, a[u] + b[u] + in.parameter("b")(u)) * in.parameter("psi")(u);
      map(y, x) = activate("sigmoid", logit);
      out.set(times(own, map(y, x)), y, x);
    }
  }
  return {{"weights", map}, {"output", out}};
}

extern const Mechanism record{
    .id = "attention-gate-unet",
    .aliases = {"attention-gate"},
    .parameters = {{"W_x", "C a"},
                   {"W_g", "Cg a"},
                   {"b", "a", Distribution::zero},
                   {"psi", "a"},
                   {"b_psi", "", Distribution::zero}},
    .knobs = {size_knob("hidden", "a", "C", 1, 64)},
    .roles = {{"image", "H W C | H W"}, {"gating", "Hg Wg Cg | Hg Wg"}},
    .coordinates = {{"scoring", "additive"}},
    .example = R"("hidden": 3)",
    .extents = {{"H", 4}, {"W", 5}, {"C", 2}, {"Hg", 2}, {"Wg", 3}, {"Cg", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::attention_gate_unet_entry
