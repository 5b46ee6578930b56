// SPDX-License-Identifier: Apache-2.0
// One layer for every row:  F = act(X W + b), linear unless an activation is given
#include "catalogue/entry.h"

namespace attend::fm_linear_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  Var f = matmul(x, in.param("W"));  // [n p]
  if (const Var b = in.param_if("b", "bias")) f = f + b;
  return {{out::output, let("F", in.activate(f)), "n p"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W = in.parameter("W");
  Array f({x.rows(), W.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row row = mapped(x.row(i), W);
    for (std::size_t c = 0; c < row.size(); ++c)
      f(i, c) = activate(in.text("act"), row[c] + (in.flag("bias") ? in.parameter("b")(c) : 0));
  }
  return {{"output", f}};
}

extern const Mechanism record{.id = "fm-linear",
                              .parameters = {{"W", "d p"}, {"b", "p", Distribution::zero}},
                              .knobs = {size_knob("width", "p", "d", 1, 256),
                                        flag_knob("bias", false), activation_knob("identity")},
                              .roles = {{"x", "n d"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_linear_entry
