// SPDX-License-Identifier: Apache-2.0
// The gated recurrent unit, gates in the order reset, update, new:
//   r = s(x W_r + b_r + h U_r + c_r),  z = s(x W_z + b_z + h U_z + c_z),
//   n = tanh(x W_n + b_n + r (h U_n + c_n)),  h' = (1 - z) n + z h
// With reset "before-matrix", as Cho et al. and Bahdanau et al. have it:  n = tanh(x W_n + b_n + (r h) U_n + c_n)
// Cho et al. 2014 (Learning Phrase Representations), arXiv:1406.1078; torch.nn.GRU
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"

namespace attend::gru_entry {
namespace {

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, U, b, c] = in.params<4>();  // [dx 3dh] [dh 3dh] [1 3dh] [1 3dh]
  const Var h = states[0];                   // [1 dh]
  const std::size_t dh = h.extent(-1);
  const Var own = matmul(x, W) + b, before = matmul(h, U) + c;  // [1 3dh]
  const auto gate = [&](Var all, std::size_t k) { return slice(all, -1, k * dh, (k + 1) * dh); };
  const Var r = let("r_t", sigmoid(gate(own, 0) + gate(before, 0)));         // [1 dh]
  const Var z = let("z_t", sigmoid(gate(own, 1) + gate(before, 1)));         // [1 dh]
  const Var kept = in.text("reset") == "after-matrix" ? r * gate(before, 2)  // [1 dh]
                                                      : matmul(r * h, gate(U, 2)) + gate(c, 2);
  const Var n = let("n_t", tanh(gate(own, 2) + kept));  // [1 dh]
  return {let("h_t", (1 - z) * n + z * h)};             // [1 dh]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  if (in.text("reset") == "after-matrix") return {{"output", gru_states_by_loops(in, "", in["x"])}};
  const Array &x = in["x"], &U = in.parameter("U"), &c = in.parameter("c");
  const std::size_t dh = U.rows();
  Array states({x.rows(), dh});
  Row h(dh, 0);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Row own = mapped(x.row(t), in.parameter("W"));
    const auto sum = [&](std::size_t k, std::size_t i, const Row& memory) {
      double total = own[k * dh + i] + in.parameter("b")(k * dh + i) + c(k * dh + i);
      for (std::size_t u = 0; u < dh; ++u) total += memory[u] * U(u, k * dh + i);
      return total;
    };
    const Row reset =
        row_by(dh, [&](std::size_t i) { return activate("sigmoid", sum(0, i, h)) * h[i]; });
    for (std::size_t i = 0; i < dh; ++i) {
      const double z = activate("sigmoid", sum(1, i, h));
      states(t, i) = (1 - z) * activate("tanh", sum(2, i, reset)) + z * h[i];
    }
    h = states.row(t);
  }
  return {{"output", states}};
}

extern const Mechanism record{
    .id = "gru",
    .parameters = {{"W", "dx 3dh"},
                   {"U", "dh 3dh"},
                   {"b", "3dh", Distribution::zero},
                   {"c", "3dh", Distribution::zero}},
    .knobs = {size_knob("hidden", "dh", "dx", 1, 256),
              choice_knob("reset", "after-matrix", {"after-matrix", "before-matrix"})},
    .behaviour = Cell{step, "h"}};
}  // namespace attend::gru_entry
