// SPDX-License-Identifier: Apache-2.0
// Heads that agree in their outputs:  (lambda / h^2) sum_st cos(outputs_s, outputs_t),
// cosines of rows, averaged over the rows
// Li et al. 2018 (Multi-Head Attention with Disagreement Regularization), equation 7,
// arXiv:1810.10183
#include "catalogue/entry.h"
#include "catalogue/penalties.h"

namespace attend::disagreement_output_entry {
namespace {

Var build(const PenaltyIn& in) {
  if (!in.outputs)
    refuse("it compares the outputs of heads, but a step-by-step module keeps only their weights");
  return in.scalar("lambda") * agreement_of_heads(in.outputs);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {{"penalty", Array(Shape{}, in.number("lambda") * agreement_by_loops(in["heads"]))}};
}

extern const Mechanism record{
    .id = "disagreement-output",
    .knobs = {number_knob("lambda", 1., 0, 10)},
    .around = R"({"mechanism": {"heads": {"type": "multi-head", "count": 3}}})",
    .behaviour = Penalty{build}};
}  // namespace attend::disagreement_output_entry
