// SPDX-License-Identifier: Apache-2.0
// Selection: row i sees key j iff i is selected as head, j as dependent, and i != j
// (with direction fw also j < i, with bw j > i)
// Shen et al. 2018 (ReSAN), reinforced sequence sampling, arXiv:1801.10296
#include "catalogue/entry.h"

namespace attend::mask_selection_entry {
namespace {

Var build(const MaskIn& in) {
  const Var heads = transpose(in.param("z_h")), dependents = in.param("z_d");  // [m 1] [1 n]
  const std::string& direction = in.text("direction");
  const Var i = in.rows(), j = in.columns();
  const Var others = direction == "fw"   ? greater(i, j)
                     : direction == "bw" ? greater(j, i)
                                         : 1 - equal(i, j);  // [m n]
  return heads * dependents * others;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &heads = in.parameter("z_h"), &dependents = in.parameter("z_d");
  const bool before = in.text("direction") != "bw", after = in.text("direction") != "fw";
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    return heads(i) != 0 && dependents(j) != 0 && ((before && j < i) || (after && j > i));
  });
}

extern const Mechanism record{
    .id = "mask-selection",
    .aliases = {"rss"},
    .parameters = {{"z_h", "m", Distribution::bernoulli}, {"z_d", "n", Distribution::bernoulli}},
    .knobs = {choice_knob("direction", "none", {"none", "fw", "bw"})},
    .laws = {.permutation = false},
    .differentiable = false,
    .behaviour = Mask{build}};
}  // namespace attend::mask_selection_entry
