// SPDX-License-Identifier: Apache-2.0
// Additive attention:  e_ij = act(q_i W1 + k_j W2 + b) . w
// Bahdanau, Cho, Bengio 2015, appendix A.1.2, arXiv:1409.0473;
// Brauwers & Frasincar 2022, equation 6
#include "catalogue/entry.h"

namespace attend::additive_entry {
namespace {

Var build(const ScoreIn& in) {                   // q [m dq]  k [n dk]
  const auto [W1, W2, b, w] = in.params<4>();    // [dq a] [dk a] [1 a] [1 a]
  const Var q = let("Q W_1", matmul(in.q, W1));  // [m a]
  const Var k = let("K W_2", matmul(in.k, W2));  // [n a]
  const Var h = let("H", in.activate(pair_rows(q) + pair_columns(k + b)));  // [m n a]
  return dot(h, w);                                                         // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &b = in.parameter("b"), &w = in.parameter("w");
  return each_score(in, [&](const Row& q, const Row& k) {
    const Row x = mapped(q, in.parameter("W1")), y = mapped(k, in.parameter("W2"));
    return sum_over(x.size(), [&](std::size_t c) {
      return w(c) * activate(in.text("act"), x[c] + y[c] + b(c));
    });
  });
}

extern const Mechanism record{
    .id = "additive",
    .aliases = {"bahdanau", "mlp"},
    .parameters = {{"W1", "dq a"}, {"W2", "dk a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "dq", 1, 256)},
    .coordinate = "additive",
    .behaviour = Score{build}};
}  // namespace attend::additive_entry
