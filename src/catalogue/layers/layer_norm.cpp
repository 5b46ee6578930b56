// SPDX-License-Identifier: Apache-2.0
// Layer norm of every row:  y = (x - mean x) / sqrt(var x + eps) * (gamma + offset) + beta
// Ba, Kiros, Hinton 2016, arXiv:1607.06450
#include "catalogue/entry.h"

namespace attend::layer_norm_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var scale = in.param("gamma") + in.scalar("offset");  // [1 d]
  return {{out::output, let("Y", layer_norm(x, scale, in.param("beta"), in.scalar("eps"))), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array y = in["x"];
  const auto d = static_cast<double>(y.cols());
  for (std::size_t i = 0; i < y.rows(); ++i) {
    const Row x = y.row(i);
    double sum = 0, squares = 0;
    for (const double number : x) {
      sum += number;
      squares += number * number;
    }
    const double mean = sum / d, variance = squares / d - mean * mean;
    for (std::size_t c = 0; c < x.size(); ++c)
      y(i, c) = (x[c] - mean) / std::sqrt(variance + in.number("eps")) *
                    (in.parameter("gamma")(c) + in.number("offset")) +
                in.parameter("beta")(c);
  }
  return {{"output", y}};
}

extern const Mechanism record{
    .id = "layer-norm",
    .aliases = {"layernorm"},
    .parameters = {{"gamma", "d", Distribution::one}, {"beta", "d", Distribution::zero}},
    .knobs = {number_knob("eps", 1e-5, 1e-12, 1e-3).above(0).log_scale(),
              number_knob("offset", 0., 0, 1)},
    .roles = {{"x", "n d"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::layer_norm_entry
