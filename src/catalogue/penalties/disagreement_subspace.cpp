// SPDX-License-Identifier: Apache-2.0
// Heads that agree in their values:  (lambda / h^2) sum_st cos(values_s, values_t),
// cosines of rows, averaged over the rows
// Li et al. 2018 (Multi-Head Attention with Disagreement Regularization), equation 5,
// arXiv:1810.10183
#include "catalogue/entry.h"
#include "catalogue/penalties.h"

namespace attend::disagreement_subspace_entry {
namespace {

Var build(const PenaltyIn& in) {
  if (!in.values)
    refuse("it compares the values of heads, but a step-by-step module keeps only their weights");
  return in.scalar("lambda") * agreement_of_heads(in.values);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {{"penalty", Array(Shape{}, in.number("lambda") * agreement_by_loops(in["value"]))}};
}

extern const Mechanism record{
    .id = "disagreement-subspace",
    .knobs = {number_knob("lambda", 1., 0, 10)},
    .around = R"({"mechanism": {"heads": {"type": "multi-head", "count": 3}}})",
    .behaviour = Penalty{build}};
}  // namespace attend::disagreement_subspace_entry
