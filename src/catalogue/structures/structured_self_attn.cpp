// SPDX-License-Identifier: Apache-2.0
// Structured self-attention: r rows of weights over the same tokens
//   A = softmax over tokens of (tanh(F W1) W2)^T,  M = A F
// Lin et al. 2017, arXiv:1703.03130
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"
#include "catalogue/penalties.h"

namespace attend::structured_self_attn_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];             // [n df]
  const auto [W1, W2] = in.params<2>();  // [df a] [a r]
  in.label("n", x);
  const Var h = let("H", tanh(matmul(x, W1)));       // [n a]
  const Var e = let("E", transpose(matmul(h, W2)));  // [r n]
  const Var a = let("A", weights_by(in, e, {{}, x, x}));
  const Var context = gated_by_penalties(in.assembler, in.choice, {}, let("C", matmul(a, x)));
  return {{out::scores, e, "r:query n"},
          {out::weights, a, "r:query n"},
          {out::result, context, "r:query dv"},
          {out::penalty, penalty_of(in.assembler, in.choice, {{}, a, x, context}), ""}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const Array hidden = activated(product(x, in.parameter("W1")), "tanh");
  Arrays out = results(seen_by(transposed(product(hidden, in.parameter("W2"))), x));
  out["output"] = out["context"];
  return out;
}

extern const Mechanism record{
    .id = "structured-self-attn",
    .aliases = {"structured-self-attention"},
    .parameters = {{"W1", "df a"}, {"W2", "a r"}},
    .knobs = {size_knob("rows", "r", 4., 1, 30), size_knob("hidden", "a", "df", 1, 512)},
    .roles = {{"x", "n df"}},
    .slots = {own_alignment_slot, {"penalties", Kind::penalty, "", true}},
    .coordinates = {{"scoring", "additive"}, {"alignment", "global"}, {"type", "self-attentive"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::structured_self_attn_entry
