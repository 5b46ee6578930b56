// SPDX-License-Identifier: Apache-2.0
// Decay with the syntactic distance l to the target:  a_j ~ exp(e_j) / 2^{l_j} where l_j <= ws, 0
// beyond, then normalised
// He et al. 2018 (Effective Attention Modeling for Aspect-Level Sentiment Classification),
// aclanthology.org/C18-1096
#include <numbers>

#include "catalogue/entry.h"

namespace attend::syntax_distance_decay_entry {
namespace {

constexpr double lowest = -3e38;

Var build(const AlignmentIn& in) {                 // scores [m n]
  const Var l = in.rows_of(in.param("distance"));  // [1 n] or [m n]
  const Var window = let("\\text{window}", 1 - greater(l, in.scalar("ws")));
  // From the row's best, so that large scores keep their digits.
  const Var below = in.scores - detach(max(exclude(in.scores, in.mask, lowest), -1, true));
  return softmax(let("E - l \\ln 2", below - std::numbers::ln2 * l), in.and_mask(window));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& l = in.parameter("distance");
  return each_row(in, [&](std::size_t i, const Row& e) {
    const auto at = [&](std::size_t j) { return l.rows() == 1 ? l(j) : l(i, j); };
    const auto near = [&](std::size_t j) { return in.allowed(i, j) && at(j) <= in.number("ws"); };
    Row weights = soft(e, near);
    double total = 0;
    for (std::size_t j = 0; j < e.size(); ++j)
      if (near(j)) total += weights[j] *= std::exp2(-at(j));
    for (double& weight : weights) weight /= total > 0 ? total : 1;
    return weights;
  });
}

extern const Mechanism record{.id = "syntax-distance-decay",
                              .parameters = {{"distance", "n | m n", Distribution::distances}},
                              .knobs = {number_knob("ws", 5., 0, 20)},
                              .laws = {.rows_sum_to_one = false, .permutation = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::syntax_distance_decay_entry
