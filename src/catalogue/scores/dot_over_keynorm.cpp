// SPDX-License-Identifier: Apache-2.0
// Dot product over the length of the key:  e_ij = q_i.k_j / (|k_j| + eps)
// Davari 2020, table 1 (there called scaled dot product)
#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::dot_over_keynorm_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var product = in.product();                                   // [m n]
  const Var lengths = let("|k_j|", transpose(norm(in.k, -1, true)));  // [1 n]
  const Var below = lengths + in.scalar("eps");
  const Var shorter = matmul(in.q, ratio(in.k, transpose(below)), false, true);
  // With eps 0 a key of zeros would be 0 / 0; its product is 0, and stays so.
  const Var scores = ratio(product, below);
  return in.rows != nullptr ? scores : stated(scores, shorter_intent(), {shorter, in.q, in.k});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    return sum_over(k.size(), [&](std::size_t c) {
      return q[c] * (k[c] / (std::sqrt(inner(k, k)) + in.number("eps")));
    });
  });
}

extern const Mechanism record{
    .id = "dot-over-keynorm",
    .aliases = {"key-normalised-dot"},
    .knobs = {number_knob("eps", 1e-12, 1e-12, 1).at_least(0).log_scale()},
    .behaviour = Score{build}};
}  // namespace attend::dot_over_keynorm_entry
