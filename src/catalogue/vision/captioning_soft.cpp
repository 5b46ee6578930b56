// SPDX-License-Identifier: Apache-2.0
// Soft attention of an image caption: the decoder's state asks the places of an image,
//   e_tj = w . tanh(h_t W1 + a_j W2 + b),  c_t = softmax(e_t) A
// Xu et al. 2015 (Show, Attend and Tell), arXiv:1502.03044
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
                      const Var asked = matmul(q, in.param("W1")) + in.param("b");  // [m a]
                      const Var there = matmul(k, in.param("W2"));                  // [n a]
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
    const Row asked = mapped(q.row(i), in.parameter("W1"));
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const Row there = mapped(k.row(j), in.parameter("W2"));
      for (std::size_t u = 0; u < there.size(); ++u)
        e(i, j) += in.parameter("w")(u) * std::tanh(asked[u] + there[u] + in.parameter("b")(u));
    }
    const Row row = soft(e.row(i), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < k.rows(); ++j) a(i, j) = row[j];
  }
  return {{"scores", e}, {"weights", a}, {"context", weighted(a, k)}};
}

}  // namespace

namespace catalogue {
extern const Entry captioning_soft_entry;
const Entry captioning_soft_entry{
    .words =
        {.title = "Soft attention over an image (Show, Attend and Tell)",
         .formula =
             R"(e_{tj} = w \cdot \tanh(h_t W_1 + a_j W_2 + b),\quad c_t = \sum_j \operatorname{softmax}_j(e_t)\,a_j)",
         .sentence =
             "For every word of a caption the decoder looks at the image again; its state says "
             "where.",
         .note =
             "The keys are one row for each place of the image, the query rows are the decoder's states. The "
             "paper's hard attention draws one place instead: that is the alignment `hard-sample`.",
         .source = {"Xu et al.", 2015, "soft attention", "https://arxiv.org/abs/1502.03044"}},
    .record =
        {.id = "captioning-soft",
         .parameters = {{"W1", "dq a"}, {"W2", "dk a"}, {"b", "a", Distribution::zero}, {"w", "a"}},
         .knobs = {size_knob("hidden", "Hidden width", "a", "dk", 1, 256)},
         .roles = {{"query", "m dq"}, {"key", "n dk"}},
         .slots = {own_score_slot, own_alignment_slot},
         .coordinates = {{"scoring", "additive"}, {"alignment", "global"}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
