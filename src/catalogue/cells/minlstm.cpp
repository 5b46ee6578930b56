// SPDX-License-Identifier: Apache-2.0
// minLSTM, whose gates read the row alone:  f = sigmoid(x W_f + b_f),  i = sigmoid(x W_i + b_i),  u = x W_h + b_h,
//   h' = f / (f + i) h + i / (f + i) g(u),  g(u) = u + 1/2 for u >= 0, else sigmoid(u);  or g = identity
// Feng et al. 2024, arXiv:2410.01201
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"

namespace attend::minlstm_entry {
namespace {

Var positive(const CellIn& in, Var u) {
  if (in.text("act") == "identity") return u;
  const Var above = greater(u, scalar(u, 0));
  return where(above, u + .5, sigmoid(u));
}

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, b] = in.params<2>();  // [dx 3dh] [1 3dh]
  const std::size_t dh = states[0].extent(-1);
  const Var all = matmul(x, W) + b;  // [1 3dh]
  const auto part = [&](std::size_t k) { return slice(all, -1, k * dh, (k + 1) * dh); };
  const Var u = let("u_t", positive(in, part(0)));  // [1 dh]
  // f / (f + i) = sigmoid(ln f - ln i), also where both gates are so small that they are 0.
  const auto log_gate = [&](std::size_t k) { return -activation("softplus", -part(k)); };
  const Var kept = let("f_t / (f_t + i_t)", sigmoid(log_gate(1) - log_gate(2)));  // [1 dh]
  return {let("h_t", kept * states[0] + (1 - kept) * u)};                         // [1 dh]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &b = in.parameter("b");
  const std::size_t dh = b.cols() / 3;
  Array states({x.rows(), dh});
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Row all = mapped(x.row(t), in.parameter("W"));
    for (std::size_t c = 0; c < dh; ++c) {
      const double f = activate("sigmoid", all[dh + c] + b(dh + c));
      const double i = activate("sigmoid", all[2 * dh + c] + b(2 * dh + c));
      double u = all[c] + b(c);
      if (in.text("act") == "g") u = u >= 0 ? u + .5 : activate("sigmoid", u);
      states(t, c) = ((t == 0 ? 0 : f * states(t - 1, c)) + i * u) / (f + i);
    }
  }
  return {{"output", states}};
}

extern const Mechanism record{
    .id = "minlstm",
    .parameters = {{"W", "dx 3dh"}, {"b", "3dh", Distribution::zero}},
    .knobs = {size_knob("hidden", "dh", "dx", 1, 256), choice_knob("act", "g", {"g", "identity"})},
    .behaviour = Cell{step, "h"}};
}  // namespace attend::minlstm_entry
