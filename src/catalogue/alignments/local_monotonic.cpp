// SPDX-License-Identifier: Apache-2.0
// Local attention, monotonic:  softmax over the window |j - t| <= D around row t's own position
// Luong, Pham, Manning 2015, section 3.2 (local-m), arXiv:1508.04025;
// Brauwers & Frasincar 2022, equation 27
#include "catalogue/entry.h"

namespace attend::local_monotonic_entry {
namespace {

Var build(const AlignmentIn& in) {                                 // scores [m n]
  const Var distance = absolute(in.key_index() - in.row_index());  // [m n]
  const double D = in.number("D");
  const Var near = greater(scalar(distance, D + 0.5), distance);
  // The position of a row that arrives alone is not known here.
  const MaybeIntent intent = in.rows == nullptr ? band_intent(D, D) : std::nullopt;
  const Var window = let("\\text{window}", stated(near, intent));  // [m n]
  return softmax(in.scores, in.and_mask(window));                  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    const std::size_t D = in.integer("D");
    return soft(e, [&](std::size_t j) { return j <= i + D && i <= j + D && in.allowed(i, j); });
  });
}

extern const Mechanism record{.id = "local-monotonic",
                              .aliases = {"local-m"},
                              .knobs = {integer_knob("D", 2., 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .coordinate = "local",
                              .behaviour = Alignment{build}};
}  // namespace attend::local_monotonic_entry
