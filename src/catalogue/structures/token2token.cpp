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

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
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

constexpr List<Parameter> own_parameters = {{"W_x", "df d"}, {"b_x", "d", Distribution::zero}};

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t n = x.rows(), d = in.parameter("W_x").cols();
  const double c = in.number("c");
  Array h({n, d}), e({n, n, d}), a({n, n, d}), s({n, d}), gate({n, d}), u({n, d});
  for (std::size_t i = 0; i < n; ++i) {
    const Row row = mapped(x.row(i), in.parameter("W_x"));
    for (std::size_t f = 0; f < d; ++f)
      h(i, f) = activate(in.text("act"), row[f] + in.parameter("b_x")(f));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Row own = mapped(h.row(i), in.parameter("W1"));
    for (std::size_t f = 0; f < d; ++f) {
      Row line(n);
      for (std::size_t j = 0; j < n; ++j) {
        const double other = mapped(h.row(j), in.parameter("W2"))[f];
        line[j] = e(i, j, f) = c * std::tanh((own[f] + other + in.parameter("b1")(f)) / c);
      }
      const Row weights = soft(line, [&](std::size_t j) { return in.allowed(i, j); });
      for (std::size_t j = 0; j < n; ++j) {
        a(i, j, f) = weights[j];
        s(i, f) += weights[j] * h(j, f);
      }
    }
    const Row seen = mapped(s.row(i), in.parameter("W_s"));
    const Row kept = mapped(h.row(i), in.parameter("W_h"));
    for (std::size_t f = 0; f < d; ++f) {
      gate(i, f) = activate("sigmoid", seen[f] + kept[f] + in.parameter("b_f")(f));
      u(i, f) = s(i, f) + gate(i, f) * (h(i, f) - s(i, f));
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", s}, {"gate", gate}, {"output", u}};
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
    .behaviour = Structure{build}};
}  // namespace attend::token2token_entry
