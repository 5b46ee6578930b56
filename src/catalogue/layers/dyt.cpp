// SPDX-License-Identifier: Apache-2.0
// Dynamic tanh, a squashing in the place of a norm:  y = gamma * tanh(alpha x) + beta;
// `erf`:  y = gamma * erf(alpha x + s) + beta
// Zhu et al. 2025, arXiv:2503.10622; erf: arXiv:2512.10938
#include "catalogue/entry.h"

namespace attend::dyt_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var steep = in.param("alpha") * x;  // [n d]
  const Var bent = in.text("act") == "tanh" ? tanh(steep) : erf(steep + in.param("s"));
  return {{out::output, let("Y", in.param("gamma") * bent + in.param("beta")), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array y = in["x"];
  const double alpha = in.parameter("alpha")();
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < y.cols(); ++c) {
      const double x = alpha * y(i, c);
      const double bent =
          in.text("act") == "tanh" ? activate("tanh", x) : std::erf(x + in.parameter("s")());
      y(i, c) = in.parameter("gamma")(c) * bent + in.parameter("beta")(c);
    }
  }
  return {{"output", y}};
}

extern const Mechanism record{.id = "dyt",
                              .aliases = {"dynamic-tanh", "derf"},
                              .parameters = {{"alpha", "", Distribution::half},
                                             {"gamma", "d", Distribution::one},
                                             {"beta", "d", Distribution::zero},
                                             {"s", "", Distribution::zero}},
                              .knobs = {choice_knob("act", "tanh", {"tanh", "erf"})},
                              .roles = {{"x", "n d"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::dyt_entry
