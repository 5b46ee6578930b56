// SPDX-License-Identifier: Apache-2.0
// Reinforced alignment: an agent picks keys, and softmax runs over those alone:
//   z_j ~ Bern(pi_j),  a = softmax over z_j = 1;  pi_j = sigma(e_j) where the scores are the policy
// Brauwers & Frasincar 2022, section 3.2.2, arXiv:2203.14263;
// its gradient by Williams 1992 (REINFORCE), doi:10.1007/BF00992696
#include "catalogue/entry.h"

namespace attend::reinforced_alignment_entry {
namespace {

Var build(const AlignmentIn& in) {  // scores [m n]
  const Var e = in.scores;
  if (in.text("policy") == "data") return softmax(e, in.and_mask(in.rows_of(in.param("z"))));
  const Var z = let("z", greater(sigmoid(e), in.rows_of(in.param("u"))));  // [m n]
  const Var weights = let("a", softmax(e, in.and_mask(z)));                // [m n]
  if (in.text("estimator") == "none") return weights;
  // log p(z): its gradient, times the result, is what the draw adds to the gradient.
  const Var chance = -activation("softplus", where(z, -e, e));                              // [m n]
  const Var log_p = let("\\log p(z)", sum(in.mask ? chance * in.mask : chance, -1, true));  // [m 1]
  return weights * (1 + (log_p - detach(log_p)));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const bool scored = in.text("policy") == "scores";
  return each_row(in, [&](std::size_t i, const Row& e) {
    return soft(e, [&](std::size_t j) {
      const bool kept = scored ? in.parameter("u")(i, j) < activate("sigmoid", e[j])
                               : in.parameter("z")(i, j) != 0;
      return kept && in.allowed(i, j);
    });
  });
}

extern const Mechanism record{
    .id = "reinforced-alignment",
    .aliases = {"reinforced"},
    .parameters = {{"z", "m n", Distribution::bernoulli}, {"u", "m n", Distribution::uniform}},
    .knobs = {choice_knob("policy", "data", {"data", "scores"}),
              estimator_knob({"none", "reinforce"})},
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinate = "reinforced",
    .differentiable = false,
    .behaviour = Alignment{build}};
}  // namespace attend::reinforced_alignment_entry
