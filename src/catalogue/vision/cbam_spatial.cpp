// SPDX-License-Identifier: Apache-2.0
// Spatial attention of CBAM: a convolution over the mean and the largest channel of every place,
//   M = sigmoid(conv([mean_c X ; max_c X])),  Y = X * M
// Woo et al. 2018, arXiv:1807.06521
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::cbam_spatial_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const Var image = with_channels(inputs["image"], grid);  // [H W C]
  const Var map = spatial_gate(in, image);                 // [H W 1]
  return {{out::gate.as("weights"), squeeze(map, -1), "H W"},
          {out::result, let("Y", image * map), "H W C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array image = coloured(in["image"]);
  const Array map = spatial_gate_by_loops(image, in.parameter("kernel"));
  for (std::size_t i = 0; i < image.data.size(); ++i) image.data[i] *= map.data[i / image.shape[2]];
  return {{"weights", map}, {"output", image}};
}

extern const Mechanism record{.id = "cbam-spatial",
                              .parameters = {{"kernel", "k k 2"}},
                              .knobs = {size_knob("k", "k", 7., 1, 11)},
                              .roles = {{"image", "H W C | H W"}},
                              .laws = {.permutation = false},
                              .example = R"("k": 3)",
                              .extents = {{"H", 3}, {"W", 4}, {"C", 2}},
                              .behaviour = Structure{build}};
}  // namespace attend::cbam_spatial_entry
