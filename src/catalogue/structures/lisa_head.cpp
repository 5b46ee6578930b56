// SPDX-License-Identifier: Apache-2.0
// A syntactically informed head: attention whose weights are trained to be the parent of each token
//   e_ij = x_j U x_i^T + x_j . u,  C = softmax(E) (X W_V)
// Strubell et al. 2018 (LISA), arXiv:1804.08199; the score is that of Dozat, Manning 2017
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::lisa_head_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
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
  const Array& x = in["x"];
  const Array asks = affine(x, transposed(in.parameter("U")), in.parameter("u"));
  Arrays out = results(seen_by(dots(asks, x), product(x, in.parameter("W_V")),
                               [&](std::size_t i, std::size_t j) { return in.allowed(i, j); }));
  out["output"] = out["context"];
  return out;
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
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::lisa_head_entry
