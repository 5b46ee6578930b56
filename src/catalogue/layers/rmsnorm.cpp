// SPDX-License-Identifier: Apache-2.0
// Root-mean-square norm of every row:  y = x / sqrt(mean_c x_c^2 + eps) * (gamma + offset)
// Zhang & Sennrich 2019, arXiv:1910.07467; the offset of 1 is Gemma's
#include "catalogue/entry.h"
#include "ops/rms_norm.h"

namespace attend::rmsnorm_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var scale = in.param("gamma") + in.scalar("offset");  // [1 d]
  return {{out::output, let("Y", rms_norm(x, in.scalar("eps")) * scale), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array y = in["x"];
  for (std::size_t i = 0; i < y.rows(); ++i) {
    const Row x = y.row(i);
    const double length = std::sqrt(inner(x, x) / static_cast<double>(x.size()) + in.number("eps"));
    for (std::size_t c = 0; c < x.size(); ++c)
      y(i, c) = x[c] * (in.parameter("gamma")(c) + in.number("offset")) / length;
  }
  return {{"output", y}};
}

extern const Mechanism record{.id = "rmsnorm",
                              .aliases = {"rms-norm"},
                              .parameters = {{"gamma", "d", Distribution::one}},
                              .knobs = {number_knob("eps", 1e-6, 1e-12, 1e-3).above(0).log_scale(),
                                        number_knob("offset", 0., 0, 1)},
                              .roles = {{"x", "n d"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::rmsnorm_entry
