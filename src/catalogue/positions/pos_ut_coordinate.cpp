// SPDX-License-Identifier: Apache-2.0
// Coordinates of the Universal Transformer: waves of the place plus waves of the step t,
//   P_{i,2j} = sin(i / 10000^{2j/d}) + sin(t / 10000^{2j/d}),  P_{i,2j+1} with cos
// Dehghani et al. 2019, section 2.1, arXiv:1807.03819
#include "catalogue/entry.h"

namespace attend::pos_ut_coordinate_entry {
namespace {

Var encode(const PositionIn& in, Var rows) {  // rows [n d]
  const std::size_t d = rows.extent(-1);
  const Var place = sinusoid(iota(in.graph(), rows.extent(-2)), d);        // [n d]
  const Var step = sinusoid(fill(in.graph(), {1}, in.number("step")), d);  // [1 d]
  return let("P^t", let("P_i", place) + let("P_t", step));
}

}  // namespace

// The sum of two waves of one length as a product: sin a + sin b = 2 sin((a+b)/2) cos((a-b)/2).
Arrays reference(const ReferenceIn& in) {
  const std::size_t d = in["key"].cols();
  return {{"position", table_by(in["key"].rows(), d, [&](std::size_t i, std::size_t c) {
             const double turns =
                 std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(d));
             const double half = (static_cast<double>(i) + in.number("step")) * turns / 2;
             const double apart = (static_cast<double>(i) - in.number("step")) * turns / 2;
             return 2 * (c % 2 == 0 ? std::sin(half) : std::cos(half)) * std::cos(apart);
           })}};
}

extern const Mechanism record{.id = "pos-ut-coordinate",
                              .knobs = {integer_knob("step", 1., 1, 12).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Position{.encode = encode}};
}  // namespace attend::pos_ut_coordinate_entry
