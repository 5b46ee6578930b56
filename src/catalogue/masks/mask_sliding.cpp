// SPDX-License-Identifier: Apache-2.0
// Sliding window: row i sees the last `window` keys, itself among them,  0 <= i - j < window
// Jiang et al. 2023 (Mistral 7B), arXiv:2310.06825
#include "catalogue/entry.h"

namespace attend::mask_sliding_entry {
namespace {

Var build(const MaskIn& in) {
  const Var gap = in.rows() - in.columns();  // [m n]
  const double window = in.number("window");
  return in.stated(greater(scalar(gap, window - 0.5), gap) * greater(gap, scalar(gap, -0.5)),
                   band_intent(window - 1, 0));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t window = in.integer("window");
  return each_pair(in, [&](std::size_t i, std::size_t j) { return j <= i && i < j + window; });
}

extern const Mechanism record{.id = "mask-sliding",
                              .aliases = {"sliding-window"},
                              .knobs = {integer_knob("window", 4., 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_sliding_entry
