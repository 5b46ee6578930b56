// SPDX-License-Identifier: Apache-2.0
// Factorized positional attention:  E = F1 F2^T / sqrt(p), a table of rank r
// Luo et al. 2024 (FPARec), arXiv:2407.02793
#include "catalogue/entry.h"

namespace attend::pos_attention_factorized_entry {
namespace {

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const Var F1 = in.for_heads(in.param("F1")),
            F2 = in.for_heads(in.param("F2"));  // [m r] [n r] or [h m r] [h n r]
  const Var own = in.rows_of(F1, scores);       // one row when it goes row by row
  const Var T = let("T", matmul(own, F2, false, true));
  if (T.rank() > scores.rank() || (T.rank() == 3 && T.extent(0) != scores.extent(-3))) {
    refuse("/parameters/" + in.choice.prefix + "F1",
           "has factors for " + std::to_string(T.extent(0)) + " heads; the scores have shape " +
               to_text(scores.shape()));
  }
  const Var term = T / std::sqrt(static_cast<double>(in.inputs.k.extent(-1)));
  return in.flag("add") ? scores + term : broadcast_to(term, scores.shape());
}

}  // namespace

// As a sum of tables of rank one.
Arrays reference(const ReferenceIn& in) {
  const Array &F1 = in.parameter("F1"), &F2 = in.parameter("F2");
  const double root = std::sqrt(static_cast<double>(in["key"].cols()));
  Array e({F1.rows(), F2.rows()});
  for (std::size_t r = 0; r < F1.cols(); ++r) {
    for (std::size_t i = 0; i < e.rows(); ++i) {
      for (std::size_t j = 0; j < e.cols(); ++j) e(i, j) += F1(i, r) * F2(j, r) / root;
    }
  }
  if (!in.flag("add")) return {{"scores", e}};
  return scores_plus(in, [&](std::size_t i, std::size_t j) { return e(i, j); });
}

extern const Mechanism record{.id = "pos-attention-factorized",
                              .aliases = {"fparec"},
                              .parameters = {{"F1", "m r | h m r"}, {"F2", "n r | h n r"}},
                              .knobs = {size_knob("rank", "r", 8., 1, 64), flag_knob("add", false)},
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_attention_factorized_entry
