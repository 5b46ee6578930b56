// SPDX-License-Identifier: Apache-2.0
// Structured self-attention: r rows of weights over the same tokens
//   A = softmax over tokens of (tanh(F W1) W2)^T,  M = A F
// Lin et al. 2017, arXiv:1703.03130
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"
#include "catalogue/penalties.h"

namespace attend::structured_self_attn_entry {
namespace {

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
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
  const Array &x = in["x"], &W1 = in.parameter("W1"), &W2 = in.parameter("W2");
  Array e({W2.cols(), x.rows()}), a(e.shape);
  for (std::size_t r = 0; r < e.rows(); ++r) {
    for (std::size_t j = 0; j < x.rows(); ++j) {
      for (std::size_t u = 0; u < W1.cols(); ++u) {
        double hidden = 0;
        for (std::size_t f = 0; f < x.cols(); ++f) hidden += x(j, f) * W1(f, u);
        e(r, j) += std::tanh(hidden) * W2(u, r);
      }
    }
    const Row weights = soft(e.row(r), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < x.rows(); ++j) a(r, j) = weights[j];
  }
  const Array context = weighted(a, x);
  return {{"scores", e}, {"weights", a}, {"context", context}, {"output", context}};
}

extern const Mechanism record{
    .id = "structured-self-attn",
    .aliases = {"structured-self-attention"},
    .parameters = {{"W1", "df a"}, {"W2", "a r"}},
    .knobs = {size_knob("rows", "r", 4., 1, 30), size_knob("hidden", "a", "df", 1, 512)},
    .roles = {{"x", "n df"}},
    .slots = {own_alignment_slot, {"penalties", Kind::penalty, "", true}},
    .coordinates = {{"scoring", "additive"}, {"alignment", "global"}, {"type", "self-attentive"}},
    .behaviour = Structure{build}};
}  // namespace attend::structured_self_attn_entry
