// SPDX-License-Identifier: Apache-2.0
// Multi-dimensional source2token self-attention:
//   e_j = act(x_j W1 + b1) W2 + b2, a score for every feature,  s = sum_j softmax_j(e_j) * x_j
// Shen et al. 2018 (DiSAN), arXiv:1709.04696
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::source2token_entry {
namespace {

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
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
  const Array &x = in["x"], &W1 = in.parameter("W1"), &W2 = in.parameter("W2");
  Array e({1, x.rows(), x.cols()}), a(e.shape), s({1, x.cols()});
  for (std::size_t f = 0; f < x.cols(); ++f) {
    Row column(x.rows(), in.parameter("b2")(f));
    for (std::size_t j = 0; j < x.rows(); ++j) {
      for (std::size_t u = 0; u < W1.cols(); ++u) {
        double hidden = in.parameter("b1")(u);
        for (std::size_t g = 0; g < x.cols(); ++g) hidden += x(j, g) * W1(g, u);
        column[j] += activate(in.text("act"), hidden) * W2(u, f);
      }
    }
    const Row weights = soft(column, [](std::size_t) { return true; });
    for (std::size_t j = 0; j < x.rows(); ++j) {
      e(0, j, f) = column[j];
      a(0, j, f) = weights[j];
      s(f) += weights[j] * x(j, f);
    }
  }
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
    .behaviour = Structure{build}};
}  // namespace attend::source2token_entry
