// SPDX-License-Identifier: Apache-2.0
// Positional attention: a learned table of places replaces the scores,  E = T / sqrt(p)
// Luo et al. 2024 (PARec), arXiv:2407.02793
#include "catalogue/entry.h"

namespace attend::pos_attention_entry {
namespace {

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const Var T = in.for_heads(in.param("T"));   // [m n] or [h m n]
  if (T.rank() > scores.rank() || (T.rank() == 3 && T.extent(0) != scores.extent(-3))) {
    refuse("/parameters/" + in.choice.prefix + "T",
           "has tables for " + std::to_string(T.extent(0)) + " heads; the scores have shape " +
               to_text(scores.shape()));
  }
  const Var own = in.rows_of(T, scores);  // one row when the alignment goes row by row
  const Var term = let("T/\\sqrt{p}", own / std::sqrt(static_cast<double>(in.inputs.k.extent(-1))));
  return in.flag("add") ? scores + term : broadcast_to(term, scores.shape());
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const double root = std::sqrt(static_cast<double>(in["key"].cols()));
  Array e({in["query"].rows(), in["key"].rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      const double content = in.flag("add") ? inner(in["query"].row(i), in["key"].row(j)) : 0;
      e(i, j) = (content + in.parameter("T")(i, j)) / root;
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{.id = "pos-attention",
                              .aliases = {"parec"},
                              .parameters = {{"T", "m n | h m n"}},
                              .knobs = {flag_knob("add", false)},
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_attention_entry
