// SPDX-License-Identifier: Apache-2.0
// Long-short attention: a window of neighbours beside r summaries that the tokens write themselves,
//   P = softmax over tokens of K W_P [n r],
//   C = softmax(Q [LN_1(K_window) ; LN_2(P^T K)]^T / sqrt(p)) [LN_1(V_window) ; LN_2(P^T V)]
// Zhu et al. 2021 (Long-Short Transformer), arXiv:2107.02192
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::transformer_ls_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [m p] [n p] [n dv]
  const std::size_t m = rows.q.extent(-2), n = rows.k.extent(-2);
  const bool norms = in.flag("layernorm");
  if (norms && rows.v.extent(-1) != rows.k.extent(-1))
    refuse(in.choice.path + "/layernorm",
           "the same norms apply to keys and values, so both must be equally wide; they are " +
               std::to_string(rows.k.extent(-1)) + " and " + std::to_string(rows.v.extent(-1)) +
               " wide. Set layernorm to false, or give values as wide as the keys");
  const Var W_P = in.param("W_P");                                             // [p r]
  const Var P = let("P", transpose(softmax(transpose(matmul(rows.k, W_P)))));  // [n r]
  const auto joined = [&](Var x) {                                             // [n+r ..]
    Var local = x, far = matmul(P, x, true, false);
    if (norms) local = layer_norm(local, in.param("gamma1"), in.param("beta1"));
    if (norms) far = layer_norm(far, in.param("gamma2"), in.param("beta2"));
    return concat({local, far}, -2);
  };
  const Var gap = absolute(iota(in.graph(), m, 2) - iota(in.graph(), n));  // [m n]
  const Var window = greater(scalar(gap, in.number("window") + 1), gap);
  const std::size_t rank = W_P.extent(-1);
  const Var mask = let("M", stated(concat({window, ones(in.graph(), {m, rank})}, -1),
                                   summarised_intent(in.number("window"), rank)));
  const Looked all = attend_by_slots(
      in, {rows.q, let("[K; \\bar{K}]", joined(rows.k)), let("[V; \\bar{V}]", joined(rows.v))},
      mask);
  return {{"projection", P, "n r:query"},
          {out::mask, mask, "m n+r:key"},
          {out::scores, all.scores, "m n+r:key"},
          {out::weights, all.weights, "m n+r:key"},
          {out::result, all.context, "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const Array logits = product(k, in.parameter("W_P"));
  const std::size_t n = k.rows(), r = logits.cols();
  Array pooled({r, n});
  for (std::size_t u = 0; u < r; ++u) {
    const Row column = row_by(n, [&](std::size_t j) { return logits(j, u); });
    pooled.set(softened(column), u);
  }
  const auto joined = [&](const Array& x) {
    const Array far = product(pooled, x);
    if (!in.flag("layernorm")) return below(x, far);
    return below(normed(x, in.parameter("gamma1"), in.parameter("beta1")),
                 normed(far, in.parameter("gamma2"), in.parameter("beta2")));
  };
  const double window = in.number("window");
  const AttentionTables all =
      attended(q, joined(k), joined(in["value"]), [&](std::size_t i, std::size_t j) {
        return j >= n || std::abs(static_cast<double>(i) - static_cast<double>(j)) <= window;
      });
  return {{"scores", all.scores}, {"weights", all.weights}, {"context", all.context}};
}

extern const Mechanism record{
    .id = "transformer-ls",
    .aliases = {"long-short-transformer"},
    .parameters = {{"W_P", "p r"},
                   {"gamma1", "p", Distribution::one},
                   {"beta1", "p", Distribution::zero},
                   {"gamma2", "p", Distribution::one},
                   {"beta2", "p", Distribution::zero}},
    .knobs = {integer_knob("window", 2., 0, 32).at_least(0), size_knob("rank", "r", 4., 1, 64),
              flag_knob("layernorm", true)},
    .roles = {{"query", "m p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {never_causal("summaries-of-all"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "global"}},
    .extents = {{"dv", 6}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::transformer_ls_entry
