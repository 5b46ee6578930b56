// SPDX-License-Identifier: Apache-2.0
// Score of stacked attention networks:  e_ij = tanh(k_j W_I + (q_i W_Q + b)) . w_P
// Yang, He, Gao, Deng, Smola 2016, section 3.3, arXiv:1511.02274
#include "catalogue/entry.h"

namespace attend::stacked_san_score_entry {
namespace {

Var build(const ScoreIn& in) {                                // q [m dq]  k [n dk]
  const auto [W_I, W_Q, b, w_P] = in.params<4>();             // [dk a] [dq a] [1 a] [1 a]
  const Var image = let("K W_I", matmul(in.k, W_I));          // [n a]
  const Var asked = let("Q W_Q + b", matmul(in.q, W_Q) + b);  // [m a]
  return dot(let("H", tanh(pair_rows(asked) + pair_columns(image))), w_P);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& u, const Row& v) {
    const Row x = mapped(v, in.parameter("W_I")), y = mapped(u, in.parameter("W_Q"));
    return sum_over(x.size(), [&](std::size_t c) {
      return std::tanh(x[c] + y[c] + in.parameter("b")(c)) * in.parameter("w_P")(c);
    });
  });
}

extern const Mechanism record{
    .id = "stacked-san-score",
    .aliases = {"san"},
    .parameters = {{"W_I", "dk a"}, {"W_Q", "dq a"}, {"b", "a", Distribution::zero}, {"w_P", "a"}},
    .knobs = {size_knob("hidden", "a", "dq", 1, 256)},
    .behaviour = Score{build}};
}  // namespace attend::stacked_san_score_entry
