// SPDX-License-Identifier: Apache-2.0
// The plain recurrent cell:  h' = tanh(x W + h U + b)
// Elman 1990 (Finding Structure in Time), doi:10.1207/s15516709cog1402_1; torch.nn.RNN
#include "catalogue/cell.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, U, b] = in.params<3>();                               // [dx dh] [dh dh] [1 dh]
  return {let("h_t", tanh(matmul(x, W) + matmul(states[0], U) + b))};  // [1 dh]
}

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t dh = in.parameter("b").cols();
  Array output({x.rows(), dh});
  Row h(dh, 0);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Row own = mapped(x.row(t), in.parameter("W")), before = mapped(h, in.parameter("U"));
    for (std::size_t c = 0; c < dh; ++c)
      output(t, c) = h[c] = activate("tanh", own[c] + before[c] + in.parameter("b")(c));
  }
  return {{"output", output}};
}

}  // namespace

namespace catalogue {
extern const Entry rnn_entry;
const Entry rnn_entry{
    .words = {.title = "Recurrent cell",
              .formula = R"(h_t = \tanh(x_t W + h_{t-1} U + b))",
              .sentence =
                  "Each step adds the new row to what it remembers, both through a matrix, and "
                  "squashes the sum.",
              .source = {"Elman", 1990, "the simple recurrent network",
                         "https://doi.org/10.1207/s15516709cog1402_1"}},
    .record = {.id = "rnn",
               .parameters = {{"W", "dx dh"}, {"U", "dh dh"}, {"b", "dh", Distribution::zero}},
               .knobs = {size_knob("hidden", "Hidden width", "dh", "dx", 1, 256)},
               .behaviour = Cell{step, "h"}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
