// SPDX-License-Identifier: Apache-2.0
// Deep attention, L layers:  H1 = act(q_i W0 + k_j W1 + b1),  Hl = act(H(l-1) Wl + bl) for 1 < l <
// L,
//   e_ij = H(L-1) . w + b_L
// Pavlopoulos, Malakasiotis, Androutsopoulos 2017; Galassi, Lippi, Torroni 2021, table IV
#include "catalogue/entry.h"

namespace attend::deep_entry {
namespace {

Var build(const ScoreIn& in) {                                           // q [m dq]  k [n dk]
  const Var q = let("Q W_0", matmul(in.q, in.param("W0")));              // [m a]
  const Var k = let("K W_1", matmul(in.k, in.param("W1")));              // [n a]
  Var h = in.activate(pair_rows(q) + pair_columns(k + in.param("b1")));  // [m n a]
  h = let("H^{1}", h);
  for (std::size_t l = 2; l < in.integer("layers"); ++l) {
    const std::string number = std::to_string(l);
    // Row by row over all pairs; the bias and the matrix are the same for all of them.
    const Var b = expand(in.param("b" + number), -3);  // [1 1 a]
    h = let("H^{" + number + "}", in.activate(times(h, in.param("W" + number)) + b));
  }
  return dot(h, in.param("w")) + in.param("b_L");  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    Array h = one_row(plus(mapped(q, in.parameter("W0")), mapped(k, in.parameter("W1"))));
    for (int l = 1; l < in.number("layers"); ++l) {
      if (l > 1) h = product(h, in.parameter("W" + std::to_string(l)));
      h = activated(plus(h, in.parameter("b" + std::to_string(l))), in.text("act"));
    }
    return inner(h.data, in.parameter("w").row(0)) + in.parameter("b_L")();
  });
}

extern const Mechanism record{
    .id = "deep",
    .aliases = {"deep-attention"},
    .parameters = {{"W0", "dq a"},
                   {"W1", "dk a"},
                   {"b1", "a", Distribution::zero},
                   {"W2+", "a a"},
                   {"b2+", "a", Distribution::zero},
                   {"w", "a"},
                   {"b_L", "", Distribution::zero}},
    .knobs = {integer_knob("layers", 3., 2, 6).at_least(2), activation_knob("relu"),
              size_knob("hidden", "a", "dq", 1, 256)},
    .behaviour = Score{build}};
}  // namespace attend::deep_entry
