// SPDX-License-Identifier: Apache-2.0
// Long short-term memory, gates in the order input, forget, cell, output:
//   i, f, o = s(x W + h U + b),  g = tanh(x W_g + h U_g + b_g),
//   c' = f c + i g,  h' = o tanh(c')
// Hochreiter, Schmidhuber 1997, doi:10.1162/neco.1997.9.8.1735; the forget gate: Gers,
// Schmidhuber, Cummins 2000; torch.nn.LSTM
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"

namespace attend::lstm_entry {
namespace {

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, U, b] = in.params<3>();                    // [dx 4dh] [dh 4dh] [1 4dh]
  const Var all = matmul(x, W) + matmul(states[0], U) + b;  // [1 4dh]
  const std::size_t dh = states[0].extent(-1);
  const auto gate = [&](std::size_t k) { return slice(all, -1, k * dh, (k + 1) * dh); };
  const Var i = let("i_t", sigmoid(gate(0))), f = let("f_t", sigmoid(gate(1)));  // [1 dh]
  const Var g = let("g_t", tanh(gate(2))), o = let("o_t", sigmoid(gate(3)));     // [1 dh]
  const Var c = let("c_t", f * states[1] + i * g);                               // [1 dh]
  return {let("h_t", o * tanh(c)), c};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {{"output", lstm_states_by_loops(in, "", in["x"])}};
}

extern const Mechanism record{
    .id = "lstm",
    .parameters = {{"W", "dx 4dh"}, {"U", "dh 4dh"}, {"b", "4dh", Distribution::zero}},
    .knobs = {size_knob("hidden", "dh", "dx", 1, 256)},
    .behaviour = Cell{step, "h c"}};
}  // namespace attend::lstm_entry
