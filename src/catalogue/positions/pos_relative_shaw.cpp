// SPDX-License-Identifier: Apache-2.0
// Relation-aware attention:  e_ij = q_i (k_j + a^K_c) scale,  C_i = sum_j A_ij (v_j + a^V_c),
//   c = clip(j - i, -k, k) + k
// Shaw, Uszkoreit, Vaswani 2018, equations 3 and 4, arXiv:1803.02155
#include "catalogue/entry.h"

namespace attend::pos_relative_shaw_entry {
namespace {

// [m n] the row of the tables for each pair.
Var relation(const PositionIn& in) {
  const auto k = static_cast<double>(in.integer("k"));
  return clip(in.key_index() - in.row_index(), -k, k) + k;
}

Var score(const PositionIn& in, Var scores) {          // scores [m n]
  const Var q = in.inputs.q, table = in.param("a_K");  // [m dk] [2k+1 dk]
  const Var scaled = in.score_scale * q;               // for the kernel
  const Var by_relation = let("Q {a^K}^{\\top}", matmul(q, table, false, true));  // [m 2k+1]
  const Var term = in.score_scale * take(by_relation, relation(in));
  return scores + in.relative(term, static_cast<double>(in.integer("k")), {scaled, table}, {q});
}

Var context(const PositionIn& in, Var weights, Var context) {  // weights [m n]  context [m dv]
  const Var table = in.param("a_V");  // may be given even when it is switched off
  if (!in.flag("value")) return context;
  const Var by_relation = let("A\\ \\text{by relation}",
                              put(weights, relation(in), 2 * in.integer("k") + 1));  // [m 2k+1]
  return in.relative_values(context + matmul(by_relation, table),
                            static_cast<double>(in.integer("k")), context, weights, table);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"], &a = in["weights"];
  const auto reach = static_cast<long>(in.number("k"));
  Array e({q.rows(), k.rows()}), c({q.rows(), v.cols()});
  for (long i = 0; i < static_cast<long>(q.rows()); ++i) {
    for (long j = 0; j < static_cast<long>(k.rows()); ++j) {
      const auto relation = static_cast<std::size_t>(std::clamp(j - i, -reach, reach) + reach);
      for (std::size_t d = 0; d < k.cols(); ++d) {
        e(i, j) += q(i, d) * (k(j, d) + in.parameter("a_K")(relation, d)) /
                   std::sqrt(static_cast<double>(k.cols()));
      }
      for (std::size_t d = 0; d < v.cols(); ++d) {
        c(i, d) += a(i, j) * (v(j, d) + (in.flag("value") ? in.parameter("a_V")(relation, d) : 0));
      }
    }
  }
  return {{"scores", e}, {"context", c}};
}

extern const Mechanism record{
    .id = "pos-relative-shaw",
    .aliases = {"relation-aware"},
    .parameters = {{"a_K", "2k+1 dk"}, {"a_V", "2k+1 dv"}},
    .knobs = {size_knob("k", "k", 4., 0, 16).at_least(0), flag_knob("value", true)},
    .needs_query = true,
    .needs_product = true,
    .laws = {.permutation = false},
    .behaviour = Position{.score = score, .context = context}};
}  // namespace attend::pos_relative_shaw_entry
