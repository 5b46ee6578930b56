// SPDX-License-Identifier: Apache-2.0
// Multi-dimensional token2token self-attention, the core of a DiSA block:
//   h = act(x W_x + b_x),  e_ij = c tanh((h_i W1 + h_j W2 + b1) / c),  a vector for each pair
//   s_i = sum_j softmax_j(e_ij) * h_j,  f = sigmoid(s W_s + h W_h + b_f),  u = f * h + (1 - f) * s
// Shen et al. 2018 (DiSAN), arXiv:1709.04696
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/layers/vector_attention.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::token2token_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = masked_tokens(in, inputs["x"]);  // [n df]
  in.label("m", inputs["x"]);
  in.label("n", inputs["x"]);
  const Var h = let("H", in.activate(matmul(x, in.param("W_x")) + in.param("b_x")));  // [n d]
  const Var e = vector_scores(in, h);                                                 // [n n d]
  const auto [by_feature, mask] = masked_softmax(in, h, permute(e, {2, 0, 1}));  // [d n n] [n n]
  const Var a = let("A", permute(by_feature, {1, 2, 0}));                        // [n n d]
  const Var s = vector_context(a, h);                                            // [n d]
  const auto [f, u] = fuse_with(in, h, s);
  return {{out::mask, mask, "m n"},    {out::scores, e, "m n dv"},
          {out::weights, a, "m n dv"}, {out::context, s, "m dv"},
          {out::gate, f, "m dv"},      {out::output, let("U", u), "m dv"}};
}

constexpr auto own_parameters =
    std::to_array<Parameter>({{"W_x", "df d"}, {"b_x", "d", Distribution::zero}});

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const double c = in.number("c");
  const Array h = activated(affine(x, in.parameter("W_x"), in.parameter("b_x")), in.text("act"));
  const Array own = affine(h, in.parameter("W1"), in.parameter("b1"));
  const Array other = product(h, in.parameter("W2"));
  const std::size_t n = h.rows(), d = h.cols();
  Array e({n, n, d}), a({n, n, d}), s({n, d});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < d; ++f) {
      const Row line =
          row_by(n, [&](std::size_t j) { return c * std::tanh((own(i, f) + other(j, f)) / c); });
      const Row weights = soft(line, [&](std::size_t j) { return in.allowed(i, j); });
      for (std::size_t j = 0; j < n; ++j) {
        e(i, j, f) = line[j];
        a(i, j, f) = weights[j];
        s(i, f) += weights[j] * h(j, f);
      }
    }
  }
  const Array seen = affine(s, in.parameter("W_s"), in.parameter("b_f"));
  const Array gate = activated(plus(seen, product(h, in.parameter("W_h"))), "sigmoid");
  return {{"scores", e},
          {"weights", a},
          {"context", s},
          {"gate", gate},
          {"output", plus(s, times(gate, minus(h, s)))}};
}

extern const Mechanism record{
    .id = "token2token",
    .aliases = {"disa"},
    .parameters = parameters_of<own_parameters, pair_parameters, fusion_parameters>,
    .symbols = {{"d", "df"}},
    .knobs = {number_knob("c", 5., .5, 20).above(0), activation_knob("elu")},
    .roles = {{"x", "n df"}},
    .slots = {{"mask", Kind::mask, "", true}},
    .coordinates = {{"dimensionality", "multi-dimensional"},
                    {"scoring", "additive"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .example = R"("mask": ["mask-causal"])",
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::token2token_entry
