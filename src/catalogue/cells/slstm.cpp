// SPDX-License-Identifier: Apache-2.0
// sLSTM, an LSTM with exponential input gates and a normaliser; of i~, f~, z~, o~ = x W + h U + b, in this order:
//   i = exp(i~),  f = sigmoid(f~),  z = tanh(z~),  o = sigmoid(o~),
//   c' = f c + i z,  n' = f n + i,  h' = o c' / n';  c and n are kept divided by exp(m), m' = max(ln f + m, i~)
// Beck et al. 2024, section 2.2, arXiv:2405.04517
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"

namespace attend::slstm_entry {
namespace {

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, U, b] = in.params<3>();                    // [dx 4dh] [dh 4dh] [1 4dh]
  const Var all = matmul(x, W) + matmul(states[0], U) + b;  // [1 4dh]
  const std::size_t dh = states[0].extent(-1);
  const auto gate = [&](std::size_t k) { return slice(all, -1, k * dh, (k + 1) * dh); };
  const Var c = states[1], n = states[2], m = states[3], input = gate(0);  // [1 dh]
  const Var kept = m - activation("softplus", -gate(1));                   // ln f + m
  // Before the first row there is nothing to keep, and the input gate alone sets the scale.
  const Var empty = equal(absolute(c) + n, scalar(n, 0));
  const Var scale = let("m_t", where(empty, input, maximum(kept, input)));    // [1 dh]
  const Var i = let("i_t", exp(input - scale));                               // [1 dh]
  const Var f = let("f_t", exp(where(empty, scalar(n, 0), kept - scale)));    // [1 dh]
  const Var z = let("z_t", tanh(gate(2))), o = let("o_t", sigmoid(gate(3)));  // [1 dh]
  const Var next = let("c_t", f * c + i * z), total = let("n_t", f * n + i);  // [1 dh]
  return {let("h_t", o * next / total), next, total, scale};
}

}  // namespace

// Without a stabiliser.
Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &b = in.parameter("b");
  const std::size_t dh = b.cols() / 4;
  Array states({x.rows(), dh});
  Row h(dh, 0), c(dh, 0), n(dh, 0);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Row own = mapped(x.row(t), in.parameter("W")), past = mapped(h, in.parameter("U"));
    const auto of = [&](std::size_t k, std::size_t u) {
      return own[k * dh + u] + past[k * dh + u] + b(k * dh + u);
    };
    for (std::size_t u = 0; u < dh; ++u) {
      const double i = std::exp(of(0, u)), f = activate("sigmoid", of(1, u));
      c[u] = f * c[u] + i * activate("tanh", of(2, u));
      n[u] = f * n[u] + i;
      states(t, u) = activate("sigmoid", of(3, u)) * c[u] / n[u];
    }
    h = states.row(t);
  }
  return {{"output", states}};
}

extern const Mechanism record{
    .id = "slstm",
    .parameters = {{"W", "dx 4dh"}, {"U", "dh 4dh"}, {"b", "4dh", Distribution::zero}},
    .knobs = {size_knob("hidden", "dh", "dx", 1, 256)},
    .behaviour = Cell{step, "h c n m"}};
}  // namespace attend::slstm_entry
