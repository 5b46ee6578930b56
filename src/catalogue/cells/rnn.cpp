// SPDX-License-Identifier: Apache-2.0
// The plain recurrent cell:  h' = act(x W + h U + b), act tanh or relu
// Elman 1990 (Finding Structure in Time), doi:10.1207/s15516709cog1402_1; torch.nn.RNN
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"

namespace attend::rnn_entry {
namespace {

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, U, b] = in.params<3>();  // [dx dh] [dh dh] [1 dh]
  return {let("h_t", in.activate(matmul(x, W) + matmul(states[0], U) + b))};  // [1 dh]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t dh = in.parameter("b").cols();
  Array output({x.rows(), dh});
  Row h(dh, 0);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Row own = mapped(x.row(t), in.parameter("W")), before = mapped(h, in.parameter("U"));
    for (std::size_t c = 0; c < dh; ++c)
      output(t, c) = h[c] = activate(in.text("act"), own[c] + before[c] + in.parameter("b")(c));
  }
  return {{"output", output}};
}

extern const Mechanism record{
    .id = "rnn",
    .parameters = {{"W", "dx dh"}, {"U", "dh dh"}, {"b", "dh", Distribution::zero}},
    .knobs = {size_knob("hidden", "dh", "dx", 1, 256),
              choice_knob("act", "tanh", {"tanh", "relu"})},
    .behaviour = Cell{step, "h"}};
}  // namespace attend::rnn_entry
