// SPDX-License-Identifier: Apache-2.0
// Soft attention of the deep attention recurrent Q-network: the state of an LSTM asks the regions,
//   e_tj = w . tanh(v_j W + h_t W_h),  c_t = softmax(e_t) V
// Sorokin et al. 2015, arXiv:1512.01693
#include <cmath>

#include "catalogue/blocks.h"
#include "catalogue/entry.h"
#include "catalogue/structure_parts.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var q = in["query"], k = in["key"];  // [m dq] [n dk]
  in.label("m", q);
  in.label("n", k);
  const Triple rows{q, k, k};
  const Var e = let("E", scores_by(in, rows, [&] {
                      const Var asked = matmul(q, in.param("W_h"));  // [m a]
                      const Var there = matmul(k, in.param("W"));    // [n a]
                      const Var pairs = tanh(pair_rows(asked) + pair_columns(there));
                      return dot(pairs, in.param("w"));  // [m n]
                    }));
  const Var a = let("A", weights_by(in, e, rows));
  in.output(out::scores, e, "m n");
  in.output(out::weights, a, "m n");
  in.result(let("C", matmul(a, k)), "m dk");
}

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  Array e({q.rows(), k.rows()}), a(e.shape);
  for (std::size_t i = 0; i < q.rows(); ++i) {
    const Row asked = mapped(q.row(i), in.parameter("W_h"));
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const Row there = mapped(k.row(j), in.parameter("W"));
      for (std::size_t u = 0; u < there.size(); ++u)
        e(i, j) += in.parameter("w")(u) * std::tanh(asked[u] + there[u]);
    }
    const Row row = soft(e.row(i), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < k.rows(); ++j) a(i, j) = row[j];
  }
  return {{"scores", e}, {"weights", a}, {"context", weighted(a, k)}};
}

}  // namespace

namespace catalogue {
extern const Entry darqn_entry;
const Entry darqn_entry{
    .words =
        {.title = "Soft attention of a player (DARQN)",
         .formula =
             R"(e_{tj} = w \cdot \tanh(v_j W + h_t W_h),\quad c_t = \sum_j \operatorname{softmax}_j(e_t)\,v_j)",
         .sentence =
             "A program that plays a game looks at a few regions of the screen at each step; its "
             "memory of the game says at which.",
         .source = {"Sorokin et al.", 2015, "soft attention", "https://arxiv.org/abs/1512.01693"}},
    .record = {.id = "darqn",
               .parameters = {{"W_h", "dq a"}, {"W", "dk a"}, {"w", "a"}},
               .knobs = {size_knob("hidden", "Hidden width", "a", "dk", 1, 256)},
               .roles = {{"query", "m dq"}, {"key", "n dk"}},
               .slots = {own_score_slot, own_alignment_slot},
               .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
