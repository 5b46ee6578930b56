// SPDX-License-Identifier: Apache-2.0
// Top-down attention over regions that a detector proposed bottom-up,
//   e_tj = w . tanh(v_j W_v + h_t W_h),  c_t = softmax(e_t) V
// Anderson et al. 2018, arXiv:1707.07998
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
                      const Var there = matmul(k, in.param("W_v"));  // [n a]
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
      const Row there = mapped(k.row(j), in.parameter("W_v"));
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
extern const Entry bottom_up_top_down_entry;
const Entry bottom_up_top_down_entry{
    .words =
        {.title = "Bottom-up and top-down attention",
         .formula =
             R"(e_{tj} = w \cdot \tanh(v_j W_v + h_t W_h),\quad c_t = \sum_j \operatorname{softmax}_j(e_t)\,v_j)",
         .sentence =
             "A detector proposes regions of an image (bottom-up); the state of the decoder, "
             "which writes a sentence about it, chooses among them (top-down).",
         .note =
             "The keys are the features of proposed regions; whoever proposes them is not part of it.",
         .source = {"Anderson et al.", 2018, "top-down attention",
                    "https://arxiv.org/abs/1707.07998"}},
    .record = {.id = "bottom-up-top-down",
               .parameters = {{"W_h", "dq a"}, {"W_v", "dk a"}, {"w", "a"}},
               .knobs = {size_knob("hidden", "Hidden width", "a", "dk", 1, 256)},
               .roles = {{"query", "m dq"}, {"key", "n dk"}},
               .slots = {own_score_slot, own_alignment_slot},
               .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
