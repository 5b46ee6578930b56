// SPDX-License-Identifier: Apache-2.0
// Heads that agree in their weights:  (lambda / h^2) sum_st sum A_s * A_t
// Li et al. 2018 (Multi-Head Attention with Disagreement Regularization), equation 6,
// arXiv:1810.10183
#include "catalogue/entry.h"
#include "catalogue/penalties.h"
#include "catalogue/reason.h"

namespace attend::disagreement_position_entry {
namespace {

Var build(const PenaltyIn& in) {  // weights [h m n]; the double sum is the square of the sum
  const bool heads = in.weights.rank() > 2;
  const Var together = let("\\textstyle\\sum_s A_s", heads ? sum(in.weights, -3) : in.weights);
  const double h = heads ? static_cast<double>(in.weights.extent(-3)) : 1;
  return in.scalar("lambda") / (h * h) * total(together * together);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& a = in["weights"];
  const std::size_t part = a.rows() * a.cols(), heads = a.data.size() / part;
  double sum = 0;
  for (std::size_t s = 0; s < heads; ++s) {
    for (std::size_t t = 0; t < heads; ++t) {
      for (std::size_t i = 0; i < part; ++i) sum += a.data[s * part + i] * a.data[t * part + i];
    }
  }
  return {
      {"penalty", Array(Shape{}, in.number("lambda") * sum / static_cast<double>(heads * heads))}};
}

extern const Mechanism record{
    .id = "disagreement-position",
    .knobs = {number_knob("lambda", 1., 0, 10)},
    .excludes = {{"dimensionality", {"multi-dim"}, false, "one-map-per-head"_reason}},
    .around = R"({"mechanism": {"heads": {"type": "multi-head", "count": 3}}})",
    .behaviour = Penalty{build}};
}  // namespace attend::disagreement_position_entry
