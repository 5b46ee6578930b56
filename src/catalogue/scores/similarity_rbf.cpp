// SPDX-License-Identifier: Apache-2.0
// Gaussian kernel:  e_ij = -|q_i - k_j|^2 / (2 s^2), so that softmax gives normalised kernels
// Lu et al. 2021 (SOFT), arXiv:2110.11945; Chen et al. 2021 (Skyformer), arXiv:2111.00035
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"

namespace attend::similarity_rbf_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var s = in.scalar("s");
  const Var shorter = -0.5 * squared_gaps(in.q / s, in.k / s);
  const Var gap = (pair_rows(in.q) - pair_columns(in.k)) / s;  // [m n d]
  const Var scores = -0.5 * sum(gap * gap, -1);                // [m n]
  if (in.rows != nullptr) return scores;
  return stated(scores, shorter_intent(), {shorter, in.q, in.k});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const double s = in.number("s");
  return each_score(in, [&](const Row& q, const Row& k) {
    double e = 0;
    for (std::size_t c = 0; c < q.size(); ++c) e -= std::pow(q[c] - k[c], 2) / (2 * s * s);
    return e;
  });
}

extern const Mechanism record{.id = "similarity-rbf",
                              .aliases = {"rbf", "gaussian-kernel"},
                              .knobs = {number_knob("s", 1., .05, 20).above(0).log_scale()},
                              .coordinate = "similarity",
                              .behaviour = Score{build}};
}  // namespace attend::similarity_rbf_entry
