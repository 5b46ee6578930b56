// SPDX-License-Identifier: Apache-2.0
// Sinusoidal encoding, added to queries and keys:
//   PE(p, 2i) = sin(p / base^(2i/d)),  PE(p, 2i+1) = cos(same)
// Vaswani et al. 2017, section 3.5, arXiv:1706.03762
#include "catalogue/entry.h"
#include "ops/primitives/records.h"

namespace attend::pos_sinusoidal_entry {
namespace {

Var encode(const PositionIn& in, Var rows) {                // rows [n d]
  const Var positions = iota(in.graph(), rows.extent(-2));  // [n]
  const auto d = static_cast<long>(rows.extent(-1));
  return let("PE", apply(primitives::sinusoid, {positions, in.scalar("base")}, {{d}}));  // [n d]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array table(in["key"].shape);
  for (std::size_t p = 0; p < table.rows(); ++p) {
    double period = 1;  // grows by base^(2/d) a pair of channels
    for (std::size_t c = 0; c < table.cols(); ++c) {
      const double angle = static_cast<double>(p) / period;
      table(p, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      if (c % 2 == 1)
        period *= std::pow(in.number("base"), 2.0 / static_cast<double>(table.cols()));
    }
  }
  return {{"position", table}};
}

extern const Mechanism record{
    .id = "pos-sinusoidal",
    .knobs = {number_knob("base", 10000., 2, 100000).above(0).log_scale()},
    .laws = {.permutation = false},
    .behaviour = Position{.encode = encode}};
}  // namespace attend::pos_sinusoidal_entry
