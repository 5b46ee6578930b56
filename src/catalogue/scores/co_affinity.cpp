// SPDX-License-Identifier: Apache-2.0
// Affinity of two inputs:  E = act(K1 W K2^T), query = input 1, key = input 2
// Lu, Yang, Batra, Parikh 2016, section 3.3, arXiv:1606.00061;
// Brauwers & Frasincar 2022, equation 12
#include "catalogue/entry.h"

namespace attend::co_affinity_entry {
namespace {

Var build(const ScoreIn& in) {      // q [m dq]  k [n dk]
  const auto [W] = in.params<1>();  // [dq dk]
  const Var product = matmul(matmul(in.q, W), in.k, false, true);
  return in.activate(let("Q W K^{\\top}", product));  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& W = in.parameter("W");
  return each_score(in, [&](const Row& q, const Row& k) {
    const double e = sum_over(q.size(), [&](std::size_t r) { return q[r] * inner(W.row(r), k); });
    return activate(in.text("act"), e);
  });
}

extern const Mechanism record{.id = "co-affinity",
                              .aliases = {"affinity"},
                              .parameters = {{"W", "dq dk"}},
                              .knobs = {activation_knob("tanh")},
                              .behaviour = Score{build}};
}  // namespace attend::co_affinity_entry
