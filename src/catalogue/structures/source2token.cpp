// SPDX-License-Identifier: Apache-2.0
// Multi-dimensional source2token self-attention:
//   e_j = act(x_j W1 + b1) W2 + b2, a score for every feature,  s = sum_j softmax_j(e_j) * x_j
// Shen et al. 2018 (DiSAN), arXiv:1709.04696
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::source2token_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  const auto [W1, b1, W2, b2] = in.params<4>();
  in.label("n", x);
  const Var h = let("H", in.activate(matmul(x, W1) + b1));   // [n a]
  const Var e = let("E", pair_columns(matmul(h, W2) + b2));  // [1 n d]
  const Var a = let("A", softmax_by_feature(e));             // [1 n d]
  const Var s = let("s", sum(a * pair_columns(x), -2));      // [1 d]
  return {{out::scores, e, "1 n dv"}, {out::weights, a, "1 n dv"}, {out::result, s, "1 dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const Array hidden = activated(affine(x, in.parameter("W1"), in.parameter("b1")), in.text("act"));
  Array e = affine(hidden, in.parameter("W2"), in.parameter("b2")), a = soft_columns(e);
  const Array s = sum_of_rows(times(a, x));
  e.shape = a.shape = {1, x.rows(), x.cols()};
  return {{"scores", e}, {"weights", a}, {"context", s}, {"output", s}};
}

extern const Mechanism record{
    .id = "source2token",
    .aliases = {"multi-dim-pooling"},
    .parameters = {{"W1", "d a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a d"},
                   {"b2", "d", Distribution::zero}},
    .knobs = {activation_knob("elu"), size_knob("hidden", "a", "d", 1, 256)},
    .roles = {{"x", "n d"}},
    .coordinates = {{"dimensionality", "multi-dimensional"},
                    {"scoring", "additive"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::source2token_entry
