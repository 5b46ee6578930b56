// SPDX-License-Identifier: Apache-2.0
// BigBird: a window, the first g tokens (as rows and as columns), and r keys drawn at random for each
// row; window and global tokens are counted in blocks
// Zaheer et al. 2020, section 2, arXiv:2007.14062
#include "catalogue/entry.h"
#include "catalogue/parts/cores/drawn_keys.h"

namespace attend::mask_bigbird_entry {
namespace {

Var build(const MaskIn& in) {
  const double b = in.number("block");
  const Var i = floor(in.rows() / b), j = floor(in.columns() / b);  // [m 1] [n] blocks
  const Var gap = absolute(i - j);                                  // [m n]
  const Var window = greater(scalar(gap, in.number("window") + 0.5), gap);
  const Var first = scalar(gap, in.number("global") - 0.5);
  const Var global = maximum(greater(first, i), greater(first, j));
  const DrawnKeys drawn = drawn_keys(in, in.m, in.n);
  const Var all = maximum(maximum(window, global), drawn.mask);
  return in.stated(all, bigbird_intent(b, in.number("window"), in.number("global"), drawn.part),
                   drawn.operands);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t b = in.integer("block"), window = in.integer("window"),
                    global = in.integer("global");
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    const std::size_t low = std::min(i, j) / b, high = std::max(i, j) / b;
    return high - low <= window || low < global || is_drawn(in, i, j);
  });
}

extern const Mechanism record{
    .id = "mask-bigbird",
    .parameters = drawn_keys_parameters,
    .knobs = {integer_knob("window", 3., 0, 32).at_least(0),
              integer_knob("global", 2., 0, 32).at_least(0), drawn_keys_knob(),
              integer_knob("block", 1., 1, 32).at_least(1)},
    .laws = {.permutation = false},
    .behaviour = Mask{build}};
}  // namespace attend::mask_bigbird_entry
