// SPDX-License-Identifier: Apache-2.0
// The gated recurrent unit, gates in the order reset, update, new:
//   r = s(x W_r + b_r + h U_r + c_r),  z = s(x W_z + b_z + h U_z + c_z),
//   n = tanh(x W_n + b_n + r (h U_n + c_n)),  h' = (1 - z) n + z h
// Cho et al. 2014 (Learning Phrase Representations), arXiv:1406.1078; torch.nn.GRU
#include "catalogue/cell.h"
#include "catalogue/cell_reference.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, U, b, c] = in.params<4>();  // [dx 3dh] [dh 3dh] [1 3dh] [1 3dh]
  const Var h = states[0];                   // [1 dh]
  const std::size_t dh = h.extent(-1);
  const Var own = matmul(x, W) + b, before = matmul(h, U) + c;  // [1 3dh]
  const auto gate = [&](Var all, std::size_t k) { return slice(all, -1, k * dh, (k + 1) * dh); };
  const Var r = let("r_t", sigmoid(gate(own, 0) + gate(before, 0)));   // [1 dh]
  const Var z = let("z_t", sigmoid(gate(own, 1) + gate(before, 1)));   // [1 dh]
  const Var n = let("n_t", tanh(gate(own, 2) + r * gate(before, 2)));  // [1 dh]
  return {let("h_t", (1 - z) * n + z * h)};                            // [1 dh]
}

Arrays reference(const ReferenceIn& in) {
  return {{"output", gru_states_by_loops(in, "", in["x"])}};
}

}  // namespace

namespace catalogue {
extern const Entry gru_entry;
const Entry gru_entry{
    .words =
        {.title = "Gated recurrent unit",
         .formula =
             R"(r = \sigma(x_t W_r + b_r + h_{t-1} U_r + c_r),\quad z = \sigma(x_t W_z + b_z + h_{t-1} U_z + c_z),\quad n = \tanh(x_t W_n + b_n + r \odot (h_{t-1} U_n + c_n)),\quad h_t = (1-z) \odot n + z \odot h_{t-1})",
         .sentence =
             "One gate decides how much of the memory the new value may read, another how much of it stays.",
         .note =
             "PyTorch's form: the reset gate acts after the memory's matrix, and each gate has two biases.",
         .source = {"Cho et al.", 2014, "section 2.3", "https://arxiv.org/abs/1406.1078"}},
    .record = {.id = "gru",
               .parameters = {{"W", "dx 3dh"},
                              {"U", "dh 3dh"},
                              {"b", "3dh", Distribution::zero},
                              {"c", "3dh", Distribution::zero}},
               .knobs = {size_knob("hidden", "Hidden width", "dh", "dx", 1, 256)},
               .behaviour = Cell{step, "h"}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
