// SPDX-License-Identifier: Apache-2.0
// Multi-head convolutional attention: heads with kernels of different sizes press an image together
// and spread it again; their sum is a gate of every number,
//   Y = sigmoid(sum_k deconv_k(relu(conv_k(X)))) * X,  k in {1, 3, 5}
// Georgescu et al. 2023, arXiv:2204.04218
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::mhca_entry {
namespace {

// The sides in the knob `kernels`: "1-3-5".
std::vector<std::size_t> sides(const std::string& kernels) {
  std::vector<std::size_t> list;
  for (const char sign : kernels)
    if (sign != '-') list.push_back(static_cast<std::size_t>(sign - '0'));
  return list;
}

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const Var image = with_channels(inputs["image"], grid);  // [H W C]
  Var all;
  Tensors results;
  for (const std::size_t k : sides(in.text("kernels"))) {
    const std::string side = std::to_string(k);
    const StepSuffix suffix(in.graph(), "_{" + side + "}");
    const ImageCut cut = in.text("edge") == "zeros" ? centred(grid.height, grid.width, k, k)
                                                    : inside(grid.height, grid.width, k, k, 1);
    const Var pressed = let("z", relu(convolve(image, in.param("conv" + side), cut)));
    const Var head = let("e", deconvolve(pressed, in.param("deconv" + side), cut, grid.height,
                                         grid.width));  // [H W C]
    results.add({"head" + side, head, "H W C"});
    all = all ? all + head : head;
  }
  const Var gate = let("A", sigmoid(all));
  return results + Tensors{{out::gate.as("weights"), gate, "H W C"},
                           {out::result, let("Y", image * gate), "H W C"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["image"]);
  const long H = long(image.shape[0]), W = long(image.shape[1]);
  const std::size_t C = image.shape[2];
  const bool zeros = in.text("edge") == "zeros";
  Array sum(image.shape);
  for (const char sign : in.text("kernels")) {
    if (sign == '-') continue;
    const Array& K = in.parameter(std::string("conv") + sign);
    const Array& D = in.parameter(std::string("deconv") + sign);
    const long size = long(K.shape[0]), reach = (size - 1) / 2;
    for (long y = 0; y < H; ++y)
      for (long x = 0; x < W; ++x) {
        // Without zeros a window must lie inside the image.
        if (!zeros && (y < reach || x < reach || y + reach >= H || x + reach >= W)) continue;
        for (std::size_t u = 0; u < K.cols(); ++u) {
          double z = 0;
          for (long r = 0; r < size * size; ++r) {
            const long row = y + r / size - reach, column = x + r % size - reach;
            if (row < 0 || column < 0 || row >= H || column >= W) continue;
            for (std::size_t c = 0; c < C; ++c)
              z += image(row, column, c) * K(r / size, r % size, c, u);
          }
          for (long r = 0; r < size * size; ++r) {
            const long row = y + r / size - reach, column = x + r % size - reach;
            if (row < 0 || column < 0 || row >= H || column >= W) continue;
            for (std::size_t c = 0; c < C; ++c)
              sum(row, column, c) += std::max(0.0, z) * D(r / size, r % size, u, c);
          }
        }
      }
  }
  const Array weights = activated(sum, "sigmoid");
  return {{"weights", weights}, {"output", times(image, weights)}};
}

extern const Mechanism record{
    .id = "mhca",
    .parameters = {{"conv1", "1 1 C a"},
                   {"deconv1", "1 1 a C"},
                   {"conv3", "3 3 C a"},
                   {"deconv3", "3 3 a C"},
                   {"conv5", "5 5 C a"},
                   {"deconv5", "5 5 a C"}},
    .knobs = {choice_knob("kernels", "1-3-5", {"1", "3", "5", "1-3", "3-5", "1-3-5"}),
              size_knob("hidden", "a", "ceil(C/2)", 1, 64),
              choice_knob("edge", "zeros", {"zeros", "inside"})},
    .roles = {{"image", "H W C | H W"}},
    .laws = {.permutation = false},
    .coordinates = {{"multiplicity", "multi-head"}},
    .extents = {{"H", 6}, {"W", 5}, {"C", 2}},
    .behaviour = Structure{build}};
}  // namespace attend::mhca_entry
