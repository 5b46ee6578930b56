// SPDX-License-Identifier: Apache-2.0
// Contextual positions: a key's position is how many gates are open from it to the query,
//   g_ij = sigma(e_ij),  p_ij = min(N - 1, sum_{l = j..i} g_il) for j <= i, else 0,
//   e_ij + s q_i . P[p_ij],  rows of P between whole positions by interpolation, s the score's scale
// Golovneva et al. 2024, arXiv:2405.18719, which adds the products unscaled
#include "catalogue/entry.h"

namespace attend::pos_cope_entry {
namespace {

Var score(const PositionIn& in, Var scores) {        // scores [.. m n]
  const Var q = in.inputs.q, table = in.param("P");  // [.. m p] [N p]
  if (!q) refuse("its table is multiplied by the query, but this module has none");
  const auto last = static_cast<double>(table.extent(-2)) - 1;
  const auto memory = static_cast<double>(in.inputs.memory);
  const MaybeIntent pairs = in.rows != nullptr ? std::nullopt : band_intent(HUGE_VAL, memory);
  const Var past = stated(greater(in.row_index() + 1, in.key_index()), pairs);  // [m n]
  const Var gates = let("G", sigmoid(scores) * past);                           // [.. m n]
  const Var open = cumsum(gates, -1, true);                                     // [.. m n]
  const Var p = let("p", past * -maximum(-open, scalar(open, -last)));
  const Var below = floor(p);
  const Var above = -maximum(-(below + 1), scalar(below, -last));
  const Var share = p - below;
  const Var by_position = let("Q P^{\\top}", matmul(q, table, false, true));  // [.. m N]
  const Var term = take(by_position, below) * (1 - share) + take(by_position, above) * share;
  return scores + in.score_scale * let("Q P[p]", term);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &P = in.parameter("P");
  const double s = 1 / std::sqrt(static_cast<double>(k.cols())),
               last = static_cast<double>(P.rows()) - 1;
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const Row content =
        row_by(k.rows(), [&](std::size_t j) { return s * inner(q.row(i), k.row(j)); });
    for (std::size_t j = 0; j < content.size(); ++j) {
      double p = 0;
      for (std::size_t l = j; l <= i && l < content.size(); ++l)
        p += activate("sigmoid", content[l]);
      p = std::min(p, last);
      const double low = inner(q.row(i), P.row(static_cast<std::size_t>(std::floor(p))));
      const double high = inner(q.row(i), P.row(static_cast<std::size_t>(std::ceil(p))));
      e(i, j) = content[j] + s * (low + (high - low) * (p - std::floor(p)));
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{.id = "pos-cope",
                              .aliases = {"contextual"},
                              .parameters = {{"P", "N dq"}},
                              .knobs = {size_knob("N", "N", 16., 1, 64)},
                              .needs_query = true,
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_cope_entry
