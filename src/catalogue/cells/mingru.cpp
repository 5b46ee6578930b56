// SPDX-License-Identifier: Apache-2.0
// minGRU, whose gate reads the row alone:  z = sigmoid(x W_z + b_z),  u = x W_h + b_h,
//   h' = (1 - z) h + z g(u),  g(u) = u + 1/2 for u >= 0, else sigmoid(u);  or g = identity
// Feng et al. 2024, arXiv:2410.01201
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"

namespace attend::mingru_entry {
namespace {

// Positive and continuous, so that logarithms of it exist.
Var positive(const CellIn& in, Var u) {
  if (in.text("act") == "identity") return u;
  const Var above = greater(u, scalar(u, 0));
  return where(above, u + .5, sigmoid(u));
}

std::vector<Var> step(const CellIn& in, Var x, const std::vector<Var>& states) {  // x [1 dx]
  const auto [W, b] = in.params<2>();  // [dx 2dh] [1 2dh]
  const std::size_t dh = states[0].extent(-1);
  const Var both = matmul(x, W) + b;                               // [1 2dh]
  const Var u = let("u_t", positive(in, slice(both, -1, 0, dh)));  // [1 dh]
  const Var z = let("z_t", sigmoid(slice(both, -1, dh, 2 * dh)));  // [1 dh]
  return {let("h_t", (1 - z) * states[0] + z * u)};                // [1 dh]
}

}  // namespace

// Unrolled: each row's u is kept by all later gates.
Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &b = in.parameter("b");
  const std::size_t dh = b.cols() / 2;
  Array states({x.rows(), dh});
  for (std::size_t t = 0; t < x.rows(); ++t) {
    for (std::size_t i = 0; i < dh; ++i) {
      double kept = 1;
      for (std::size_t s = t + 1; s-- > 0;) {
        const Row both = mapped(x.row(s), in.parameter("W"));
        double u = both[i] + b(i);
        if (in.text("act") == "g") u = u >= 0 ? u + .5 : activate("sigmoid", u);
        const double z = activate("sigmoid", both[dh + i] + b(dh + i));
        states(t, i) += kept * z * u;
        kept *= 1 - z;
      }
    }
  }
  return {{"output", states}};
}

extern const Mechanism record{
    .id = "mingru",
    .parameters = {{"W", "dx 2dh"}, {"b", "2dh", Distribution::zero}},
    .knobs = {size_knob("hidden", "dh", "dx", 1, 256), choice_knob("act", "g", {"g", "identity"})},
    .behaviour = Cell{step, "h"}};
}  // namespace attend::mingru_entry
