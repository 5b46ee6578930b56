// SPDX-License-Identifier: Apache-2.0
// Feed-forward layer:  LN(x + f(x)),  or with norm "pre"  x + f(LN(x));  f(x) = act(x W1 + b1) W2 + b2
// Vaswani et al. 2017, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::om_ffn_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [m d]
  in.label("m", x);
  const bool pre = in.text("norm") == "pre";
  const auto normed = [&](Var rows) {
    return layer_norm(rows, in.param("gamma"), in.param("beta"));
  };
  const Var into = pre ? let("\\operatorname{LN}(X)", normed(x)) : x;
  const Var hidden = let("H", in.activate(matmul(into, in.param("W1")) + in.param("b1")));  // [m a]
  const Var sum = x + matmul(hidden, in.param("W2")) + in.param("b2");                      // [m d]
  return {{out::output, let("Y", pre ? sum : normed(sum)), "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const bool pre = in.text("norm") == "pre";
  const auto norm = [&](const Array& rows) {
    return normed(rows, in.parameter("gamma"), in.parameter("beta"));
  };
  const Array hidden =
      activated(affine(pre ? norm(x) : x, in.parameter("W1"), in.parameter("b1")), in.text("act"));
  const Array sum = plus(x, affine(hidden, in.parameter("W2"), in.parameter("b2")));
  return {{"output", pre ? sum : norm(sum)}};
}

extern const Mechanism record{
    .id = "om-ffn",
    .parameters = {{"W1", "d a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a d"},
                   {"b2", "d", Distribution::zero},
                   {"gamma", "d", Distribution::one},
                   {"beta", "d", Distribution::zero}},
    .knobs = {size_knob("hidden", "a", "4*d", 1, 1024), activation_knob("relu"),
              choice_knob("norm", "post", {"post", "pre"})},
    .roles = {{"x", "m d"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::om_ffn_entry
