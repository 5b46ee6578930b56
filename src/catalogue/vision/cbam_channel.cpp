// SPDX-License-Identifier: Apache-2.0
// Channel attention of CBAM: one small network reads the channels' means and their largest numbers,
//   s = sigmoid(f(mean X) + f(max X)),  f(z) = relu(z W1) W2,  Y = X * s
// Woo et al. 2018, arXiv:1807.06521
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::cbam_channel_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const Var image = with_channels(inputs["image"], grid);  // [H W C]
  const Var s = channel_gate(in, image);                   // [1 C]
  return {{out::gate.as("weights"), s, "1 C"}, {out::result, let("Y", image * s), "H W C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array image = coloured(in["image"]);
  const Array s = channel_gate_by_loops(image, in.parameter("W1"), in.parameter("W2"));
  for (std::size_t i = 0; i < image.data.size(); ++i) image.data[i] *= s.data[i % s.data.size()];
  return {{"weights", s}, {"output", image}};
}

extern const Mechanism record{.id = "cbam-channel",
                              .parameters = {{"W1", "C a"}, {"W2", "a C"}},
                              .knobs = {size_knob("hidden", "a", "ceil(C/16)", 1, 64)},
                              .roles = {{"image", "H W C | H W"}},
                              .coordinates = {{"dimensionality", "channel-wise"}},
                              .example = R"("hidden": 2)",
                              .extents = {{"H", 4}, {"W", 3}, {"C", 3}},
                              .behaviour = Structure{build}};
}  // namespace attend::cbam_channel_entry
