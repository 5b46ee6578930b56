// SPDX-License-Identifier: Apache-2.0
// Concat attention:  e_ij = act([k_j ; q_i] W + b) . w
// Luong, Pham, Manning 2015, section 3.1 (score "concat"), arXiv:1508.04025;
// Galassi, Lippi, Torroni 2021, table IV
#include "catalogue/entry.h"

namespace attend::concat_entry {
namespace {

Var build(const ScoreIn& in) {            // q [m dq]  k [n dk]
  const auto [W, b, w] = in.params<3>();  // [dk+dq a] [1 a] [1 a]
  // [k ; q] W is k times the upper rows plus q times the lower ones: one product a token, not a
  // pair.
  const std::size_t dk = in.k.extent(-1);
  const Var k = let("K W_{k}", matmul(in.k, slice(W, -2, 0, dk)));             // [n a]
  const Var q = let("Q W_{q}", matmul(in.q, slice(W, -2, dk, W.extent(-2))));  // [m a]
  const Var h = let("H", in.activate(pair_rows(q) + pair_columns(k + b)));     // [m n a]
  return dot(h, w);                                                            // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    const Row h = mapped(joined(k, q), in.parameter("W"));
    return sum_over(h.size(), [&](std::size_t c) {
      return in.parameter("w")(c) * activate(in.text("act"), h[c] + in.parameter("b")(c));
    });
  });
}

extern const Mechanism record{
    .id = "concat",
    .aliases = {"luong-concat"},
    .parameters = {{"W", "dk+dq a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "dq", 1, 256)},
    .coordinate = "concat",
    .behaviour = Score{build}};
}  // namespace attend::concat_entry
