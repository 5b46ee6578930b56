// SPDX-License-Identifier: Apache-2.0
// Additive score without a query:  e_j = act(k_j W + b) . w
// Yang et al. 2016 (Hierarchical Attention Networks), equations 5 and 6;
// Brauwers & Frasincar 2022, equation 33
#include "catalogue/entry.h"

namespace attend::self_additive_entry {
namespace {

Var build(const ScoreIn& in) {                               // k [n dk]
  const auto [W, b, w] = in.params<3>();                     // [dk a] [1 a] [1 a]
  const Var h = let("H", in.activate(matmul(in.k, W) + b));  // [n a]
  return matmul(w, h, false, true);                          // [1 n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  Array e({in.has("query") ? in["query"].rows() : 1, k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const Row h = mapped(k.row(j), in.parameter("W"));
      for (std::size_t c = 0; c < h.size(); ++c) {
        e(i, j) += in.parameter("w")(c) * activate(in.text("act"), h[c] + in.parameter("b")(c));
      }
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{
    .id = "self-additive",
    .aliases = {"intra-attention"},
    .parameters = {{"W", "dk a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "dk", 1, 256)},
    .coordinate = "additive",
    .behaviour = Score{.build = build, .reads_query = false}};
}  // namespace attend::self_additive_entry
