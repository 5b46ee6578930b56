// SPDX-License-Identifier: Apache-2.0
// Outer product attention: a matrix for every query,  O_i = sum_j act(q_i * k_j)^T v_j  [p dv]
// Le et al. 2020, arXiv:2002.03519
#include "catalogue/blocks.h"
#include "catalogue/causal_form.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Triple rows = own_rows(in);  // [m p] [n p] [n dv]
  const Var s = let("S", in.activate(pair_rows(rows.q) * pair_columns(rows.k)));  // [m n p]
  in.output(out::scores, s, "m n p");
  in.result(let("O", matmul(transpose(s), expand(rows.v, 0))), "m p dv");
}

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"];
  Array o({q.rows(), q.cols(), v.cols()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t c = 0; c < q.cols(); ++c) {
      for (std::size_t j = 0; j < k.rows(); ++j) {
        const double bound = activate(in.text("act"), q(i, c) * k(j, c));
        for (std::size_t f = 0; f < v.cols(); ++f) o(i, c, f) += bound * v(j, f);
      }
    }
  }
  return {{"output", o}, {"context", o}};
}

}  // namespace

namespace catalogue {
extern const Entry opa_entry;
const Entry opa_entry{
    .words =
        {.title = "Outer product attention",
         .formula = R"(O_i = \sum_j \tanh(q_i \odot k_j)^{\top} v_j \in \mathbb{R}^{p \times d_v})",
         .sentence =
             "Every query gets a matrix, not a vector: which feature of the match goes with which "
             "feature of the value.",
         .note =
             "No softmax and no scale. With the activation identity the rows of the matrix sum to "
             "dot-product attention without normalisation.",
         .source = {"Le et al.", 2020, "outer product attention",
                    "https://arxiv.org/abs/2002.03519"}},
    .record = {.id = "opa",
               .aliases = {"outer-product-attention"},
               .knobs = {activation_knob("tanh")},
               .roles = {{"query", "m p"},
                         {"key", "n p", false, "query"},
                         {"value", "n dv", false, "key"}},
               .excludes = {never_causal(
                   "It sums over all keys; a form of it that ends before one is left out.")},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
