// SPDX-License-Identifier: Apache-2.0
// Gated feed-forward:  y = (act(x W_gate + b_gate) * (x W_up + b_up)) W_down + b_down
// `oss`, as gpt-oss has it:  g = min(x W_gate + b_gate, 7),  u = clip(x W_up + b_up, -7, 7),
//   y = (g sigmoid(1.702 g) (u + 1)) W_down + b_down
// Shazeer 2020, arXiv:2002.05202
#include "catalogue/entry.h"

namespace attend::swiglu_entry {
namespace {

constexpr double bound = 7, steepness = 1.702;

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const bool oss = in.text("variant") == "oss";
  Var g = let("G", matmul(x, in.param("W_gate")) + in.param("b_gate"));  // [n f]
  Var u = let("U", matmul(x, in.param("W_up")) + in.param("b_up"));      // [n f]
  if (oss) {
    g = -maximum(-g, scalar(g, -bound));
    u = clip(u, -bound, bound) + 1;
  }
  const Var gate = let("\\text{gate}", oss ? g * sigmoid(steepness * g) : in.activate(g));  // [n f]
  const Var hidden = let("H", gate * u);                                                    // [n f]
  return {{"gate", gate, "n f:feature"},
          {out::output, let("Y", matmul(hidden, in.param("W_down")) + in.param("b_down")), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array g = affine(x, in.parameter("W_gate"), in.parameter("b_gate"));
  Array u = affine(x, in.parameter("W_up"), in.parameter("b_up"));
  if (in.text("variant") == "oss") {
    for (double& y : g.data)
      y = std::min(y, bound) / (1 + std::exp(-steepness * std::min(y, bound)));
    for (double& y : u.data) y = std::min(std::max(y, -bound), bound) + 1;
  } else {
    g = activated(g, in.text("act"));
  }
  return {{"gate", g},
          {"output", affine(times(g, u), in.parameter("W_down"), in.parameter("b_down"))}};
}

extern const Mechanism record{
    .id = "swiglu",
    .aliases = {"glu", "geglu", "reglu", "gated-feed-forward"},
    .parameters = {{"W_gate", "d f"},
                   {"W_up", "d f"},
                   {"W_down", "f d"},
                   {"b_gate", "f", Distribution::zero},
                   {"b_up", "f", Distribution::zero},
                   {"b_down", "d", Distribution::zero}},
    .knobs = {activation_knob("silu"), choice_knob("variant", "plain", {"plain", "oss"}),
              size_knob("hidden", "f", "ceil(8*d/3)", 1, 1024)},
    .roles = {{"x", "n d"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::swiglu_entry
