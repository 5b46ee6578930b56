// SPDX-License-Identifier: Apache-2.0
// Generalized pooling: several source2token poolings side by side, their vectors joined
//   e^t_j = act(x_j W1^t + b1^t) W2^t + b2^t,  c^t = sum_j softmax_j(e^t_j) * x_j,  [c^1; ..; c^h]
// Chen, Ling, Zhu 2018, arXiv:1806.09828
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"
#include "catalogue/penalties.h"

namespace attend::generalized_pooling_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];                     // [n d]
  const auto [W1, b1, W2, b2] = in.params<4>();  // [h d a] [h a] [h a d] [h d]
  in.label("n", x);
  const Var hidden = let("H", in.activate(matmul(x, W1) + pair_rows(b1)));  // [h n a]
  const Var e = let("E", matmul(hidden, W2) + pair_rows(b2));               // [h n d]
  const Var a = let("A", softmax_by_feature(e));
  const Var c = let("C", sum(a * x, -2));  // [h d]
  return {
      {out::scores, e, "h n dv"},
      {out::weights, a, "h n dv"},
      {out::penalty, penalty_of(in.assembler, in.choice, {{}, permute(a, {2, 0, 1}), x, c}), ""},
      {out::result, let("[c^1; \\dots; c^h]", reshape(c, {1, c.extent(0) * c.extent(1)})), "1 d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t heads = in.parameter("W1").shape[0];
  const auto of = [&](const char* name, std::size_t t) { return part_of(in.parameter(name), t); };
  Array e({heads, x.rows(), x.cols()}), a(e.shape), all({1, 0});
  for (std::size_t t = 0; t < heads; ++t) {
    const Array hidden = activated(affine(x, of("W1", t), of("b1", t)), in.text("act"));
    const Array scores = affine(hidden, of("W2", t), of("b2", t)), weights = soft_columns(scores);
    put_part(e, t, scores);
    put_part(a, t, weights);
    all = beside({all, sum_of_rows(times(weights, x))});
  }
  return {{"scores", e}, {"weights", a}, {"context", all}, {"output", all}};
}

extern const Mechanism record{.id = "generalized-pooling",
                              .aliases = {"vector-multi-head"},
                              .parameters = {{"W1", "h d a"},
                                             {"b1", "h a", Distribution::zero},
                                             {"W2", "h a d"},
                                             {"b2", "h d", Distribution::zero}},
                              .knobs = {size_knob("count", "h", 5., 1, 16), activation_knob("relu"),
                                        size_knob("hidden", "a", "d", 1, 256)},
                              .roles = {{"x", "n d"}},
                              .slots = {{.name = "penalties",
                                         .kind = Kind::penalty,
                                         .fallback = "",
                                         .list = true,
                                         .among = {"frobenius-penalty"}}},
                              .coordinates = {{"dimensionality", "multi-dimensional"},
                                              {"scoring", "additive"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"},
                                              {"multiplicity", "multi-head"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::generalized_pooling_entry
