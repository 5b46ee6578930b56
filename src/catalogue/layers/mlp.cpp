// SPDX-License-Identifier: Apache-2.0
// Feed-forward layer without a residual:  y = act(x W1 + b1) W2 + b2
// Vaswani et al. 2017, section 3.3, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::mlp_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var hidden = let("H", in.activate(matmul(x, in.param("W1")) + in.param("b1")));  // [n f]
  return {{out::output, let("Y", matmul(hidden, in.param("W2")) + in.param("b2")), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array hidden =
      activated(affine(in["x"], in.parameter("W1"), in.parameter("b1")), in.text("act"));
  return {{"output", affine(hidden, in.parameter("W2"), in.parameter("b2"))}};
}

extern const Mechanism record{
    .id = "mlp",
    .parameters = {{"W1", "d f"},
                   {"b1", "f", Distribution::zero},
                   {"W2", "f d"},
                   {"b2", "d", Distribution::zero}},
    .knobs = {activation_knob("gelu"), size_knob("hidden", "f", "4*d", 1, 1024)},
    .roles = {{"x", "n d"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::mlp_entry
