// SPDX-License-Identifier: Apache-2.0
// Feed-forward layer without a residual:  y = act(x W1 + b1) W2 + b2
// Vaswani et al. 2017, section 3.3, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::mlp_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Scope in = module.sized();
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var hidden = let("H", in.activate(matmul(x, in.param("W1")) + in.param("b1")));  // [n f]
  return {{out::output, let("Y", matmul(hidden, in.param("W2")) + in.param("b2")), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array y({x.rows(), x.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    Row hidden = mapped(x.row(i), in.parameter("W1"));
    for (std::size_t c = 0; c < hidden.size(); ++c)
      hidden[c] = activate(in.text("act"), hidden[c] + in.parameter("b1")(c));
    const Row out = mapped(hidden, in.parameter("W2"));
    for (std::size_t o = 0; o < out.size(); ++o) y(i, o) = out[o] + in.parameter("b2")(o);
  }
  return {{"output", y}};
}

extern const Mechanism record{
    .id = "mlp",
    .parameters = {{"W1", "d f"},
                   {"b1", "f", Distribution::zero},
                   {"W2", "f d"},
                   {"b2", "d", Distribution::zero}},
    .knobs = {activation_knob("gelu"), size_knob("hidden", "f", "4*d", 1, 1024)},
    .roles = {{"x", "n d"}},
    .behaviour = Structure{build}};
}  // namespace attend::mlp_entry
