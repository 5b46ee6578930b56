// SPDX-License-Identifier: Apache-2.0
// DeepSeek sparse attention: a small index scores all keys, and softmax attends to the `top` best of them.
//   I_ij = sum_u w_iu relu(q^I_iu . k^I_j / sqrt(di)) / sqrt(hi),
//   q^I_u = x_Q W_Q[u],  k^I = x_K W_K,  w = x_Q W_w;  one choice for all heads, of the keys j <= i
// DeepSeek-AI 2025, arXiv:2512.02556
#include "catalogue/entry.h"
#include "catalogue/parts/cores/block_choice.h"

namespace attend::dsa_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var asks = let("q^I", matmul(in.whole.q, in.param("W_Q")));  // [hi m di]
  const Var keys = let("k^I", matmul(in.whole.k, in.param("W_K")));  // [n di]
  const Var share =
      expand(transpose(let("w", matmul(in.whole.q, in.param("W_w")))), -1);  // [hi m 1]
  const auto root = [&](const char* knob) { return std::sqrt(in.number(knob)); };
  const auto index = [=, heads = root("index_heads"), width = root("index_width")](Var q, Var w) {
    return sum(w * relu(matmul(q, keys, false, true) / width), -3) / heads;  // [r n]
  };
  const std::size_t top = in.integer("top");
  const auto choice = [=](Var q, Var w, Var i) {
    return chosen(index(q, w), {}, past_of(in, i), top);  // [r n]
  };
  if (pairs_fit(in)) {
    OutputKind scores{"index", TensorRole::scores},
        picked{"chosen", TensorRole::mask, NumberKind::zero_one};
    in.output(scores, index(asks, share), "m n");
    in.output(picked, choice(asks, share, in.row_index()), "m n");
  }
  return weighed_by_rows(in,
                         {{in.q, asks, share},
                          [=](const std::vector<Var>& rows, Var i) {
                            const Var e = matmul(rows[0] * in.scalar("scale"), in.k, false,
                                                 true);  // [.. r n]
                            return softmax(e, choice(rows[1], rows[2], i));
                          }},
                         true);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const Array &W_Q = in.parameter("W_Q"), &W_K = in.parameter("W_K"), &W_w = in.parameter("W_w");
  const std::size_t heads = W_w.cols(), n = k.rows();
  const Array keys = product(k, W_K), shares = product(q, W_w);
  Array index({q.rows(), n}), picked({q.rows(), n});
  for (std::size_t u = 0; u < heads; ++u) {
    const Array asks = product(q, part_of(W_Q, u));
    index = plus(index, table_by(q.rows(), n, [&](std::size_t i, std::size_t j) {
                   return shares(i, u) * std::max(inner(asks.row(i), keys.row(j)), 0.) /
                          std::sqrt(static_cast<double>(W_K.cols() * heads));
                 }));
  }
  Arrays all = rows_of_weights(in, [&](std::size_t i) {
    const Row e =
        row_by(n, [&](std::size_t j) { return in.number("scale") * inner(q.row(i), k.row(j)); });
    std::vector<bool> past(n);
    for (std::size_t j = 0; j < n; ++j) past[j] = j <= i;
    const std::vector<bool> in_it =
        loops::chosen(index.row(i), std::vector<bool>(n, false), past, in.integer("top"));
    for (std::size_t j = 0; j < n; ++j) picked(i, j) = in_it[j] ? 1 : 0;
    return soft(e, [&](std::size_t j) { return in_it[j]; });
  });
  all["index"] = index;
  all["chosen"] = picked;
  return all;
}

extern const Mechanism record{
    .id = "dsa",
    .aliases = {"deepseek-sparse-attention", "lightning-indexer"},
    .parameters = {{"W_Q", "hi dxq di"}, {"W_K", "dx di"}, {"W_w", "dxq hi"}},
    .knobs = {integer_knob("top", 4., 1, 16).at_least(1), size_knob("index_heads", "hi", 2., 1, 8),
              size_knob("index_width", "di", 4., 1, 16), number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = core_coordinates,
    .example = R"("top": 2)",
    .behaviour = Core{
        .build = build, .masks = causal_mask, .always_causal = true, .serves_all_heads = true}};
}  // namespace attend::dsa_entry
