// SPDX-License-Identifier: Apache-2.0
// Graph attention score:  e_ij = LeakyReLU([x_i W ; x_j W] . a)
// Velickovic et al. 2018, section 2.1, equations 1 to 3, arXiv:1710.10903
#include "catalogue/entry.h"

namespace attend::gat_score_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m df]  k [n df]
  in.need_same_width();
  const auto [W, a] = in.params<2>();  // [df d] [1 2d]
  const std::size_t d = W.extent(-1);
  // The dot product with a falls apart into one number a query and one a key.
  const Var from = matmul(matmul(in.q, W), slice(a, -1, 0, d), false, true);    // [m 1]
  const Var to = matmul(slice(a, -1, d, 2 * d), matmul(in.k, W), false, true);  // [1 n]
  const Var sums = let("a_l Q W", from) + let("a_r K W", to);                   // [m n]
  return where(greater(sums, scalar(sums, 0)), sums, in.scalar("slope") * sums);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& W = in.parameter("W");
  return each_score(in, [&](const Row& q, const Row& k) {
    const double e = inner(joined(mapped(q, W), mapped(k, W)), in.parameter("a").row(0));
    return e < 0 ? in.number("slope") * e : e;
  });
}

extern const Mechanism record{
    .id = "gat-score",
    .aliases = {"gat"},
    .parameters = {{"W", "dq d"}, {"a", "2d"}},
    .knobs = {number_knob("slope", .2, 0, 1), size_knob("hidden", "d", "dq", 1, 256)},
    .behaviour = Score{build}};
}  // namespace attend::gat_score_entry
