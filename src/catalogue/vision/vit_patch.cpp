// SPDX-License-Identifier: Apache-2.0
// Patches of the Vision Transformer: an image becomes a sequence,
//   Z = [cls ; patch_1 W_e + b_e ; .. ; patch_n W_e + b_e] + pos,  each patch flattened row, column, channel
// Without `first` there is no cls, as in SigLIP.
// Registers are rows without a position between the first token and the patches.
// Dosovitskiy et al. 2021, arXiv:2010.11929; registers: Darcet et al. 2024, arXiv:2309.16588
#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"

namespace attend::vit_patch_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const std::size_t P = module.integer("P");
  const std::string path = module.choice.path + "/P";
  if (P > grid.height || P > grid.width)
    refuse(path, "a patch of " + std::to_string(P) + " by " + std::to_string(P) +
                     " is larger than the image, which is " + std::to_string(grid.height) + " by " +
                     std::to_string(grid.width));
  if (grid.height % P != 0 || grid.width % P != 0)
    refuse(path, "patches tile the image, so P must divide its height and its width, " +
                     std::to_string(grid.height) + " and " + std::to_string(grid.width) +
                     "; found " + std::to_string(P));
  Dimensions more;
  const bool first = module.flag("first");
  more.set("n", grid.height / P * (grid.width / P));
  more.set("t", grid.height / P * (grid.width / P) + (first ? 1 : 0));
  more.set("patch", P * P * grid.channels);
  const std::size_t registers = module.integer("registers");
  if (registers > 0) more.set("r", registers);
  const Scope in = sized_by_image(module, grid, more);
  const ImageCut cut = inside(grid.height, grid.width, P, P, P);
  const Var windows = unfold(with_channels(inputs["image"], grid), cut);
  const Var patches = let("X_p", reshape(windows, {cut.rows * cut.columns, P * P * grid.channels}));
  const Var mapped = matmul(patches, in.param("W_e")) + in.param("b_e");
  const Var tokens = let("X_p W_e + b_e", mapped);  // [n d]
  const Var all = first ? concat({in.param("cls"), tokens}, -2) : tokens;
  Var z = all + in.param("pos");  // [t d]
  if (registers > 0 && first)
    z = concat({slice(z, -2, 0, 1), in.param("registers"), slice(z, -2, 1, z.extent(-2))}, -2);
  else if (registers > 0)
    z = concat({in.param("registers"), z}, -2);
  return {{"patches", patches, "n patch:feature"}, {out::result, let("Z", z), "tokens:key d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["image"]);
  const Array &W_e = in.parameter("W_e"), &b_e = in.parameter("b_e"), &pos = in.parameter("pos");
  const std::size_t head = in.flag("first") ? 1 : 0;
  const std::size_t W = image.shape[1], C = image.shape[2];
  const std::size_t P = in.integer("P");
  Array z = pos;
  for (std::size_t o = 0; head != 0 && o < z.cols(); ++o) z(0, o) += in.parameter("cls")(o);
  for (std::size_t t = 0; t + head < z.rows(); ++t) {
    const std::size_t top = t / (W / P) * P, left = t % (W / P) * P;
    for (std::size_t o = 0; o < z.cols(); ++o) z(t + head, o) += b_e(o);
    for (std::size_t i = 0; i < P * P * C; ++i) {
      const double pixel = image(top + i / C / P, left + i / C % P, i % C);
      for (std::size_t o = 0; o < z.cols(); ++o) z(t + head, o) += pixel * W_e(i, o);
    }
  }
  const std::size_t registers = in.integer("registers");
  if (registers == 0) return {{"output", z}};
  const Array all = table_by(z.rows() + registers, z.cols(), [&](std::size_t i, std::size_t o) {
    return i < head               ? z(i, o)
           : i < head + registers ? in.parameter("registers")(i - head, o)
                                  : z(i - registers, o);
  });
  return {{"output", all}};
}

extern const Mechanism record{
    .id = "vit-patch",
    .aliases = {"vit"},
    .parameters = {{"W_e", "patch d"},
                   {"b_e", "d", Distribution::zero},
                   {"pos", "t d", Distribution::unit},
                   {"cls", "d", Distribution::unit},
                   {"registers", "r d", Distribution::unit}},
    .knobs = {integer_knob("P", 4., 1, 8).at_least(1), size_knob("dim", "d", 8., 1, 256),
              flag_knob("first", true), integer_knob("registers", 0., 0, 8).at_least(0)},
    .roles = {{"image", "H W C | H W"}},
    .laws = {.permutation = false},
    .example = R"("P": 2)",
    .extents = {{"H", 24}, {"W", 24}, {"C", 1}},
    .behaviour = Structure{build}};
}  // namespace attend::vit_patch_entry
