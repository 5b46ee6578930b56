// SPDX-License-Identifier: Apache-2.0
// Glimpse of the recurrent attention model: k square crops around one place, each twice as wide as
// the one before and shrunk to g x g by means,
//   centre = round((l + 1) / 2 * (size - 1)),  crop s begins at centre - floor(g 2^s / 2)
// Mnih et al. 2014, arXiv:1406.6247
#include "catalogue/entry.h"
#include "catalogue/parts/images/glimpse.h"

namespace attend::ram_glimpse_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Glimpse seen =
      glimpse(inputs["image"], in.param("location"), in.integer("k"), in.integer("g"));
  return {{"centre", seen.centre, "1 d"},
          {out::result, let("\\rho", seen.crops), "k:feature g:feature g:feature"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& location = in.parameter("location");
  return {{"output", glimpse_by_loops(in["image"], location(0), location(1), long(in.number("k")),
                                      long(in.number("g")))}};
}

extern const Mechanism record{
    .id = "ram-glimpse",
    .aliases = {"glimpse"},
    .parameters = {{"location", "2", Distribution::zero}},
    .knobs = {integer_knob("k", 3., 1, 6).at_least(1), integer_knob("g", 8., 1, 32).at_least(1)},
    .roles = {{"image", "H W"}},
    .laws = {.permutation = false},
    .example = R"("k": 2, "g": 3)",
    .extents = {{"H", 7}, {"W", 6}},
    .differentiable = false,
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::ram_glimpse_entry
