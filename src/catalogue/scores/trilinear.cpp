// SPDX-License-Identifier: Apache-2.0
// Trilinear score:  e_ij = [k_j ; q_i ; k_j * q_i] . w
// Seo, Kembhavi, Farhadi, Hajishirzi 2017 (BiDAF), section 2, equation 1, arXiv:1611.01603
#include "catalogue/entry.h"

namespace attend::trilinear_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var w = in.param("w");  // [1 3d]
  const std::size_t d = in.k.extent(-1);
  const auto third = [&](std::size_t i) { return slice(w, -1, i * d, (i + 1) * d); };
  const Var keys = let("K w_1", matmul(third(0), in.k, false, true));     // [1 n]
  const Var queries = let("Q w_2", matmul(in.q, third(1), false, true));  // [m 1]
  const Var both = let("(Q * w_3) K^{\\top}", matmul(in.q * third(2), in.k, false, true));
  const Var bias = in.param_if("b", "bias");
  return bias ? both + keys + queries + bias : both + keys + queries;  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    const Row features = joined(joined(k, q), times(k, q));
    const double bias = in.parameters.contains("b") ? in.parameter("b")() : 0;
    return bias + inner(features, in.parameter("w").row(0));
  });
}

extern const Mechanism record{.id = "trilinear",
                              .aliases = {"bidaf-similarity"},
                              .parameters = {{"w", "3dk"}, {"b", "", Distribution::zero}},
                              .knobs = {flag_knob("bias", false)},
                              .behaviour = Score{build}};
}  // namespace attend::trilinear_entry
