// SPDX-License-Identifier: Apache-2.0
// Outer product attention: a matrix for every query,  O_i = sum_j act(q_i * k_j)^T v_j  [p dv]
// Le et al. 2020, arXiv:2002.03519
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::opa_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [m p] [n p] [n dv]
  const Var s = let("S", in.activate(pair_rows(rows.q) * pair_columns(rows.k)));  // [m n p]
  return {{out::scores, s, "m n p"},
          {out::result, let("O", matmul(transpose(s), expand(rows.v, 0))), "m p dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"];
  Array o({q.rows(), q.cols(), v.cols()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    const Array bound = table_by(q.cols(), k.rows(), [&](std::size_t c, std::size_t j) {
      return activate(in.text("act"), q(i, c) * k(j, c));
    });
    put_part(o, i, product(bound, v));
  }
  return {{"output", o}, {"context", o}};
}

extern const Mechanism record{
    .id = "opa",
    .aliases = {"outer-product-attention"},
    .knobs = {activation_knob("tanh")},
    .roles = {{"query", "m p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}},
    .excludes = {never_causal("sums-over-all-keys"_reason)},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::opa_entry
