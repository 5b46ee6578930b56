// SPDX-License-Identifier: Apache-2.0
// A syntactically informed head: attention whose weights are trained to be the parent of each token
//   e_ij = x_j U x_i^T + x_j . u,  C = softmax(E) (X W_V)
// Strubell et al. 2018 (LISA), arXiv:1804.08199; the score is that of Dozat, Manning 2017
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::lisa_head_entry {
namespace {

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
  const Var x = masked_tokens(in, inputs["x"]);  // [n d]
  in.label("m", inputs["x"]);
  in.label("n", inputs["x"]);
  const Var e = let("E", scores_by(in, {x, x, x}, [&] {
                      const Var arcs =
                          matmul(matmul(x, in.param("U"), false, true), x, false, true);
                      return arcs + let("X u", matmul(in.param("u"), x, false, true));  // [n n]
                    }));
  const auto [weights, mask] = masked_softmax(in, x, e);
  const Var a = let("A", weights);
  return {{out::mask, mask, "m n"},
          {out::scores, e, "m n"},
          {out::weights, a, "m n"},
          {out::result, let("C", matmul(a, matmul(x, in.param("W_V")))), "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &U = in.parameter("U"), &W_V = in.parameter("W_V");
  const std::size_t n = x.rows(), d = x.cols();
  Array e({n, n}), a({n, n}), values({n, W_V.cols()});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t r = 0; r < d; ++r) {
        double line = in.parameter("u")(r);
        for (std::size_t c = 0; c < d; ++c) line += U(r, c) * x(i, c);
        e(i, j) += x(j, r) * line;
      }
    }
    const Row weights = soft(e.row(i), [&](std::size_t j) { return in.allowed(i, j); });
    for (std::size_t j = 0; j < n; ++j) a(i, j) = weights[j];
    const Row value = mapped(x.row(i), W_V);
    for (std::size_t c = 0; c < value.size(); ++c) values(i, c) = value[c];
  }
  const Array context = weighted(a, values);
  return {{"scores", e}, {"weights", a}, {"context", context}, {"output", context}};
}

extern const Mechanism record{
    .id = "lisa-head",
    .aliases = {"syntactic-head"},
    .parameters = {{"U", "d d"}, {"u", "d"}, {"W_V", "d dv"}},
    .symbols = {{"dv", "d"}},
    .roles = {{"x", "n d"}},
    .slots = {own_score_slot, own_alignment_slot, {"mask", Kind::mask, "", true}},
    .coordinates = {{"scoring", "biased general"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .behaviour = Structure{build}};
}  // namespace attend::lisa_head_entry
