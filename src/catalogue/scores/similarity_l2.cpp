// SPDX-License-Identifier: Apache-2.0
// Euclidean similarity:  e_ij = -scale |q_i - k_j|,  or  -scale |q_i - k_j|^2
// Brauwers & Frasincar 2022, section 3.2.1, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"

namespace attend::similarity_l2_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var scale = in.scalar("scale");
  const bool squared = in.flag("squared");
  // The same differences, without holding those of all pairs.
  const Var root = sqrt(scale);
  const Var shorter = squared ? -1.0 * squared_gaps(root * in.q, root * in.k)
                              : -scale * sqrt(squared_gaps(in.q, in.k));
  // Differences, not |q|^2 + |k|^2 - 2 q.k: near neighbours would lose all their digits there.
  const Var gap = pair_rows(in.q) - pair_columns(in.k);              // [m n d]
  const Var squares = let("\\|q_i - k_j\\|^2", sum(gap * gap, -1));  // [m n]
  const Var scores = -scale * (squared ? squares : sqrt(squares));
  // Only the factor of squares goes into the rows, by its root.
  if (in.rows != nullptr || (squared && in.number("scale") < 0)) return scores;
  return stated(scores, shorter_intent(), {shorter, in.q, in.k});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    double distance = 0;
    for (std::size_t c = 0; c < q.size(); ++c) distance = std::hypot(distance, q[c] - k[c]);
    return -in.number("scale") * (in.flag("squared") ? distance * distance : distance);
  });
}

extern const Mechanism record{
    .id = "similarity-l2",
    .aliases = {"l2", "euclidean"},
    .knobs = {flag_knob("squared", false), number_knob("scale", 1., .01, 10).log_scale()},
    .coordinate = "similarity",
    .behaviour = Score{build}};
}  // namespace attend::similarity_l2_entry
