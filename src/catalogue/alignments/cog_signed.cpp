// SPDX-License-Identifier: Apache-2.0
// Cog attention:  a_ij = sign(e_ij) softmax(|e_i|)_j, so that weights may be negative
// Lv et al. 2024, arXiv:2411.07176
#include "catalogue/entry.h"

namespace attend::cog_signed_entry {
namespace {

Var build(const AlignmentIn& in) {  // scores [m n]
  const Var zero = scalar(in.scores, 0);
  const Var sign =
      let("\\operatorname{sign}(E)", greater(in.scores, zero) - greater(zero, in.scores));
  return sign * softmax(let("|E|", absolute(in.scores)), in.mask);  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    Row sizes = e;
    for (double& score : sizes) score = std::abs(score);
    Row weights = soft(sizes, [&](std::size_t j) { return in.allowed(i, j); });
    for (std::size_t j = 0; j < e.size(); ++j) weights[j] *= e[j] > 0 ? 1 : e[j] < 0 ? -1 : 0;
    return weights;
  });
}

extern const Mechanism record{.id = "cog-signed",
                              .aliases = {"cog-attention"},
                              .laws = {.rows_sum_to_one = false, .nonnegative = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::cog_signed_entry
