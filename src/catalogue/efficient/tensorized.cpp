// SPDX-License-Identifier: Apache-2.0
// Multi-linear attention: a tensor over triples of tokens, averaged over blocks with shared rows,
//   T_ijk = 1/B sum_b sum_r g_br Q_ir K_jr V_kr,  g_b = softmax(core_b),  C_i = T_i W_O
// Ma et al. 2019, arXiv:1906.09777
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::tensorized_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [m p] [n p] [n p]
  const std::size_t m = rows.q.extent(-2), n = rows.k.extent(-2);
  const Var cores = let("g", softmax(in.param("g")));              // [blocks p]
  const Var g = let("\\bar{g}", mean(cores, -2, true));            // [1 p], for the rows are shared
  const Var pairs = pair_rows(rows.q * g) * pair_columns(rows.k);  // [m n p]
  const Var T = let("T", times(pairs, transpose(rows.v)));         // [m n n]
  return {{"tensor", T, "m n n"},
          {out::result, let("C", matmul(reshape(T, {m, n * n}), in.param("W_O"))), "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"], &core = in.parameter("g");
  const std::size_t n = k.rows(), B = core.rows();
  Array T({q.rows(), n, n}), context({q.rows(), in.parameter("W_O").cols()});
  for (std::size_t b = 0; b < B; ++b) {
    const Row g = softened(core.row(b));
    for (std::size_t i = 0; i < q.rows(); ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t l = 0; l < n; ++l)
          for (std::size_t r = 0; r < q.cols(); ++r)
            T(i, j, l) += g[r] * q(i, r) * k(j, r) * v(l, r) / double(B);
  }
  for (std::size_t i = 0; i < q.rows(); ++i)
    for (std::size_t o = 0; o < context.cols(); ++o)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t l = 0; l < n; ++l)
          context(i, o) += T(i, j, l) * in.parameter("W_O")(j * n + l, o);
  return {{"tensor", T}, {"output", context}};
}

extern const Mechanism record{
    .id = "tensorized",
    .aliases = {"multi-linear-attention"},
    .parameters = {{"g", "blocks p", Distribution::unit}, {"W_O", "n*n d"}},
    .symbols = {{"d", "p"}},
    .knobs = {size_knob("blocks", "blocks", 2., 1, 8)},
    .roles = {{"query", "m p"}, {"key", "n p", false, "query"}, {"value", "n p", false, "key"}},
    .excludes = {never_causal("cube-holds-all-pairs"_reason)},
    .laws = {.permutation = false},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::tensorized_entry
