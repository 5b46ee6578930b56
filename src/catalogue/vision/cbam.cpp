// SPDX-License-Identifier: Apache-2.0
// Convolutional block attention module: channel attention, then spatial attention of what it gave,
//   Y = (X * s) * M,  or the other way about
// Woo et al. 2018, arXiv:1807.06521
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::cbam_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const Var image = with_channels(inputs["image"], grid);                            // [H W C]
  const auto channel = [&](Var x) { return channel_gate(in.child("channel"), x); };  // [1 C]
  const auto spatial = [&](Var x) { return spatial_gate(in.child("spatial"), x); };  // [H W 1]
  const bool channel_first = in.text("order") == "channel-spatial";
  const Var first = channel_first ? channel(image) : spatial(image);
  const Var between = let("X'", image * first);
  const Var second = channel_first ? spatial(between) : channel(between);
  const Var &s = channel_first ? first : second, &map = channel_first ? second : first;
  return {{out::gate.as("channel.weights"), s, "1 C"},
          {out::gate.as("spatial.weights"), squeeze(map, -1), "H W"},
          {out::gate.as("weights"), let("s M", s * map), "H W C"},
          {out::result, let("Y", between * second), "H W C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array image = coloured(in["image"]);
  const std::size_t C = image.shape[2];
  Array all(image.shape, 1), s, map;
  const auto scale = [&](std::size_t i, double by) {
    image.data[i] *= by;
    all.data[i] *= by;
  };
  for (const bool channel :
       {in.text("order") == "channel-spatial", in.text("order") != "channel-spatial"}) {
    if (channel) {
      s = channel_gate_by_loops(image, in.parameter("channel.W1"), in.parameter("channel.W2"));
      for (std::size_t i = 0; i < all.data.size(); ++i) scale(i, s.data[i % C]);
    } else {
      map = spatial_gate_by_loops(image, in.parameter("spatial.kernel"));
      for (std::size_t i = 0; i < all.data.size(); ++i) scale(i, map.data[i / C]);
    }
  }
  return {{"channel.weights", s}, {"spatial.weights", map}, {"weights", all}, {"output", image}};
}

extern const Mechanism record{
    .id = "cbam",
    .parameters = {{"channel.W1", "C a"}, {"channel.W2", "a C"}, {"spatial.kernel", "k k 2"}},
    .knobs = {choice_knob("order", "channel-spatial", {"channel-spatial", "spatial-channel"}),
              size_knob("hidden", "a", "ceil(C/16)", 1, 64), size_knob("k", "k", 7., 1, 11)},
    .roles = {{"image", "H W C | H W"}},
    .laws = {.permutation = false},
    .coordinates = {{"dimensionality", "channel-wise"}},
    .example = R"("hidden": 2, "k": 3)",
    .extents = {{"H", 4}, {"W", 3}, {"C", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::cbam_entry
