// SPDX-License-Identifier: Apache-2.0
// Intra-attention of the LSTMN:
//   e_tj = tanh(h_j W_h + x_t W_x + h~_{t-1} W_ht) . w  for j < t,  h~_t the context of step t
// Cheng, Dong, Lapata 2016 (Long Short-Term Memory-Networks), section 3.2, arXiv:1601.06733
#include "catalogue/entry.h"

namespace attend::lstmn_score_entry {
namespace {

Var build(const ScoreIn& in) {                            // q [1 dq], one row at a time; k [n dk]
  const auto [W_h, W_x, W_ht, w] = in.params<4>();        // [dk a] [dq a] [dv a] [1 a]
  const Var tape = let("H W_{h}", matmul(in.k, W_h));     // [n a], once for all rows
  const Var before = in.past().context(in.no_context());  // [1 dv]
  const Var asks = matmul(in.q, W_x) + matmul(before, W_ht);  // [1 a]
  const Var h = let("H", tanh(tape + asks));                  // [n a]
  return matmul(w, h, false, true);                           // [1 n]
}

// Only the tape of earlier steps is read.
Var mask(const MaskIn& in) {
  return in.stated(greater(in.rows(), in.columns()), band_intent(HUGE_VAL, -1));  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["query"], &h = in["key"], &v = in["value"];
  const Array tape = product(h, in.parameter("W_h"));
  Array e({x.rows(), h.rows()}), context({x.rows(), v.cols()});
  Row before(v.cols(), 0);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Row asks =
        plus(mapped(x.row(t), in.parameter("W_x")), mapped(before, in.parameter("W_ht")));
    e.set(additive_scores(one_row(asks), tape, in.parameter("w")).data, t);
    before = mapped(soft(e.row(t), [&](std::size_t j) { return j < t; }), v);
    context.set(before, t);
  }
  return {{"scores", e}, {"context", context}};
}

extern const Mechanism record{
    .id = "lstmn-score",
    .parameters = {{"W_h", "dk a"}, {"W_x", "dq a"}, {"W_ht", "dv a"}, {"w", "a"}},
    .knobs = {size_knob("hidden", "a", "dq", 1, 256)},
    .recurrent = true,
    .laws = {.permutation = false, .content = false},
    .behaviour = Score{.build = build, .mask = mask}};
}  // namespace attend::lstmn_score_entry
