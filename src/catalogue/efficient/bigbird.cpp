// SPDX-License-Identifier: Apache-2.0
// BigBird: softmax attention over a window, the first g tokens (as rows and as columns) and r keys
// drawn at random for each row; window and global tokens are counted in blocks
// Zaheer et al. 2020, section 2, arXiv:2007.14062
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/drawn_keys.h"

namespace attend::bigbird_entry {
namespace {

Weighing build(const CoreIn& in) {
  const double b = in.number("block");
  const Var i = floor(in.row_index() / b), j = floor(in.key_index() / b);  // [m 1] [n] blocks
  const Var gap = absolute(i - j);                                         // [m n]
  const Var window = greater(scalar(gap, in.number("window") + 0.5), gap);
  const Var first = scalar(gap, in.number("global") - 0.5);
  const Var global = maximum(greater(first, i), greater(first, j));
  const DrawnKeys drawn = drawn_keys(in, in.m(), in.n());
  const Var all = maximum(maximum(window, global), drawn.mask);
  return softmax_over(
      in, in.stated(all, bigbird_intent(b, in.number("window"), in.number("global"), drawn.part),
                    drawn.operands));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t b = in.integer("block"), window = in.integer("window"),
                    global = in.integer("global");
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) {
      const std::size_t low = std::min(i, j) / b, high = std::max(i, j) / b;
      const bool seen = high - low <= window || low < global || is_drawn(in, i, j);
      return seen && (j <= i || !in.flag("causal"));
    });
  });
}

extern const Mechanism record{
    .id = "bigbird",
    .aliases = {"big-bird"},
    .parameters = drawn_keys_parameters,
    .knobs = {integer_knob("window", 3., 0, 64).at_least(0),
              integer_knob("global", 2., 0, 32).at_least(0), drawn_keys_knob(),
              integer_knob("block", 1., 1, 64).at_least(1), flag_knob("causal", false)},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "local"}},
    .example = R"("window": 1, "global": 1)",
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::bigbird_entry
