// SPDX-License-Identifier: Apache-2.0
// Activated general attention:  e_ij = act(k_j W q_i^T + b)
// Ma, Li, Zhang, Wang 2017 (Interactive Attention Networks), arXiv:1709.00893;
// Brauwers & Frasincar 2022, table 2
#include "catalogue/entry.h"

namespace attend::activated_general_entry {
namespace {

Var build(const ScoreIn& in) {                                         // q [m dq]  k [n dk]
  const auto [W, b] = in.params<2>();                                  // [dk dq] [1 1]
  const Var query = let("Q W^{\\top}", matmul(in.q, W, false, true));  // [m dk]
  const Var inside = let("Q W^{\\top} K^{\\top} + b", matmul(query, in.k, false, true) + b);
  return in.activate(inside);  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    const double inside = inner(mapped(k, in.parameter("W")), q) + in.parameter("b")();
    return activate(in.text("act"), inside);
  });
}

extern const Mechanism record{.id = "activated-general",
                              .aliases = {"ian"},
                              .parameters = {{"W", "dk dq"}, {"b", "", Distribution::zero}},
                              .knobs = {activation_knob("tanh")},
                              .coordinate = "activated general",
                              .behaviour = Score{build}};
}  // namespace attend::activated_general_entry
