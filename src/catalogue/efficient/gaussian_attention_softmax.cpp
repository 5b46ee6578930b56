// SPDX-License-Identifier: Apache-2.0
// Normalised Gaussian kernel:  a_ij in proportion to exp(-|q_i - k_j|^2 / (2 s^2))
// what Skyformer (Chen et al. 2021, arXiv:2111.00035) and SOFT (Lu et al. 2021, arXiv:2110.11945) leave unnormalised
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"

namespace attend::gaussian_attention_softmax_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var s = in.scalar("s");
  const Var e = let("E", -0.5 * squared_gaps(in.q / s, in.k / s));  // [.. m n]
  const Var seen = visible(in, {});
  return weighed_by(seen ? softmax(e, seen) : softmax(e));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  return rows_of_weights(in, [&](std::size_t i) {
    const Row e = row_by(k.rows(), [&](std::size_t j) {
      const Row gap = plus(q.row(i), k.row(j), -1);
      return -inner(gap, gap) / std::pow(in.number("s"), 2) / 2;
    });
    return soft(e, [&](std::size_t j) { return j <= i || !in.flag("causal"); });
  });
}

extern const Mechanism record{
    .id = "gaussian-attention-softmax",
    .knobs = {number_knob("s", 1., .1, 10).above(0).log_scale(), flag_knob("causal", false)},
    .roles = core_roles,
    .coordinates = core_coordinates,
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::gaussian_attention_softmax_entry
