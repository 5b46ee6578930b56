// SPDX-License-Identifier: Apache-2.0
// Differential heads, second version: 2h query heads over G key heads, head_t = att_2t - sigmoid(x w_t) att_{2t+1},
// x the rows that ask; query head s reads key head floor(s G / 2h); no norm
// Microsoft, January 2026, the code multihead_flashdiffv2 of unilm
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::differential_v2_entry {
namespace {

Triple split(const HeadsIn& in, Triple x) {
  return {let("Q", matmul(x.q, in.param("W_Q"))), let("K", matmul(x.k, in.param("W_K"))),
          let("V", matmul(x.v, in.param("W_V")))};
}

Var difference(const HeadsIn& in, Var heads) {  // [2h m pv]
  if (!in.whole.q || in.whole.q.extent(-2) != heads.extent(-2))
    refuse("lambda comes from the query rows, but here the score makes its own " +
           std::to_string(heads.extent(-2)) + " rows");
  const std::size_t h = heads.extent(0) / 2, m = heads.extent(1), pv = heads.extent(2);
  const Var pairs = reshape(heads, {h, 2, m, pv});
  const auto one = [&](std::size_t k) { return squeeze(slice(pairs, 1, k, k + 1), 1); };
  const Var lambda = let("\\lambda", sigmoid(matmul(in.whole.q, in.param("W_lambda"))));  // [m h]
  in.output("lambda", transpose(lambda), "h m");
  return one(0) - expand(transpose(lambda), -1) * one(1);  // [h m pv]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W_Q = in.parameter("W_Q"), &W_lambda = in.parameter("W_lambda");
  const std::size_t streams = W_Q.shape[0], G = in.parameter("W_K").shape[0];
  Array heads({streams / 2, x.rows(), in.parameter("W_V").cols()});
  Array weights({streams, x.rows(), x.rows()});
  for (std::size_t s = 0; s < streams; ++s) {
    const auto side = [&](const Array& W, std::size_t t) { return product(x, part_of(W, t)); };
    const std::size_t g = s * G / streams;
    const AttentionTables seen =
        attended(side(W_Q, s), side(in.parameter("W_K"), g), side(in.parameter("W_V"), g));
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const double share = activate("sigmoid", mapped(x.row(i), W_lambda)[s / 2]);
      for (std::size_t c = 0; c < heads.cols(); ++c)
        heads(s / 2, i, c) += seen.context(i, c) * (s % 2 == 0 ? 1 : -share);
      for (std::size_t j = 0; j < x.rows(); ++j) weights(s, i, j) = seen.weights(i, j);
    }
  }
  return {{"weights", weights}, {"heads", heads}, {"context", merged_by_loops(in, heads)}};
}

extern const Mechanism record{
    .id = "differential-v2",
    .aliases = {"diff-transformer-v2"},
    .parameters = {{"W_Q", "2h dq p"},
                   {"W_K", "G dk p"},
                   {"W_V", "G dv pv"},
                   {"W_lambda", "dq h"},
                   {"W_O", "h*pv dc"}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 2., 1, 16),
              size_knob("groups", "G", 2., 1, 32).divides("2h")},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{.split = split, .merge = merge_without_bias, .heads = difference}};
}  // namespace attend::differential_v2_entry
