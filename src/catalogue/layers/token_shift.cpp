// SPDX-License-Identifier: Apache-2.0
// Token shift, each row mixed with the one before it:  y_t = x_t + (x_{t-1} - x_t) * mu,  x_{-1} = 0
// Peng et al. 2025 (RWKV-7), arXiv:2503.14456
#include "catalogue/entry.h"

namespace attend::token_shift_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const std::size_t n = x.extent(-2);
  const Var first = zeros(in.graph(), {1, x.extent(-1)});
  const Var before = n == 1 ? first : concat({first, slice(x, -2, 0, n - 1)}, -2);  // [n d]
  return {{out::output, let("Y", x + (before - x) * in.param("mu")), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &mu = in.parameter("mu");
  Array y(x.shape);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    for (std::size_t c = 0; c < x.cols(); ++c)
      y(t, c) = (1 - mu(c)) * x(t, c) + (t == 0 ? 0 : mu(c) * x(t - 1, c));
  }
  return {{"output", y}};
}

extern const Mechanism record{.id = "token-shift",
                              .parameters = {{"mu", "d", Distribution::half}},
                              .roles = {{"x", "n d"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::token_shift_entry
