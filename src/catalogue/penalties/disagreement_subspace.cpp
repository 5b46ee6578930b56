// SPDX-License-Identifier: Apache-2.0
// Heads that agree in their values:  (lambda / h^2) sum_st cos(values_s, values_t),
// cosines of rows, averaged over the rows
// Li et al. 2018 (Multi-Head Attention with Disagreement Regularization), equation 5,
// arXiv:1810.10183
#include "catalogue/entry.h"
#include "catalogue/penalties.h"

namespace attend {
namespace {

Var build(const PenaltyIn& in) {
  if (!in.values) refuse("it compares what the heads hand on, and steps keep only their weights");
  return in.scalar("lambda") * agreement_of_heads(in.values);
}

Arrays reference(const ReferenceIn& in) {
  return {{"penalty", Array(Shape{}, in.number("lambda") * agreement_by_loops(in["value"]))}};
}

}  // namespace

namespace catalogue {
extern const Entry disagreement_subspace_entry;
const Entry disagreement_subspace_entry{
    .words =
        {.title = "Heads apart in their values",
         .formula = R"(\frac{\lambda}{h^2} \sum_{s,t} \cos(V_s, V_t))",
         .sentence =
             "A training penalty: heads should project the values into different subspaces.",
         .note =
             "The paper maximises the disagreement, which is the negative of this; a penalty is minimised.",
         .source = {"Li et al.", 2018, "equation 5", "https://arxiv.org/abs/1810.10183"}},
    .record = {.id = "disagreement-subspace",
               .knobs = {number_knob("lambda", "Strength λ", 1., 0, 10)},
               .around = R"({"mechanism": {"heads": {"type": "multi-head", "count": 3}}})",
               .behaviour = Penalty{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
