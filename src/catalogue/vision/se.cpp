// SPDX-License-Identifier: Apache-2.0
// Squeeze and excitation: each channel's mean over the image says how much every channel counts,
//   s = sigmoid(relu(z W1) W2),  z_c = mean over places of X_c,  Y = X * s
// Hu, Shen, Sun 2018, arXiv:1709.01507
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::se_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const Var image = with_channels(inputs["image"], grid);           // [H W C]
  const Var z = let("z", mean(places_of(image, grid), -2, true));   // [1 C]
  const Var hidden = let("h", relu(matmul(z, in.param("W1"))));     // [1 a]
  const Var s = let("s", sigmoid(matmul(hidden, in.param("W2"))));  // [1 C]
  return {{out::gate.as("weights"), s, "1 C"}, {out::result, let("Y", image * s), "H W C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["image"]);
  const std::size_t C = image.shape[2], places = image.shape[0] * image.shape[1];
  Row z(C, 0);
  for (std::size_t i = 0; i < image.data.size(); ++i) z[i % C] += image.data[i] / double(places);
  Row hidden = mapped(z, in.parameter("W1"));
  for (double& number : hidden) number = std::max(0.0, number);
  Array s({1, C}), out = image;
  s.data = mapped(hidden, in.parameter("W2"));
  for (double& number : s.data) number = activate("sigmoid", number);
  for (std::size_t i = 0; i < out.data.size(); ++i) out.data[i] *= s.data[i % C];
  return {{"weights", s}, {"output", out}};
}

extern const Mechanism record{.id = "se",
                              .aliases = {"squeeze-and-excitation"},
                              .parameters = {{"W1", "C a"}, {"W2", "a C"}},
                              .knobs = {size_knob("hidden", "a", "ceil(C/16)", 1, 64)},
                              .roles = {{"image", "H W C | H W"}},
                              .coordinates = {{"dimensionality", "channel-wise"}},
                              .example = R"("hidden": 2)",
                              .extents = {{"H", 4}, {"W", 3}, {"C", 3}},
                              .behaviour = Structure{build}};
}  // namespace attend::se_entry
