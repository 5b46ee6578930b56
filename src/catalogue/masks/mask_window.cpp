// SPDX-License-Identifier: Apache-2.0
// Window: row i sees keys with |i - j| <= w
// Luong et al. 2015, section 3.2, arXiv:1508.04025. The local attention of Parmar et al. 2018 goes by
// blocks and looks back only: mask-block-local.
#include "catalogue/entry.h"

namespace attend::mask_window_entry {
namespace {

Var build(const MaskIn& in) {
  const Var gap = absolute(in.rows() - in.columns());  // [m n]
  const double window = in.number("window");
  return in.stated(greater(scalar(gap, window + 0.5), gap), band_intent(window, window));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t w = in.integer("window");
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i <= j + w && j <= i + w; });
}

extern const Mechanism record{.id = "mask-window",
                              .aliases = {"band"},
                              .knobs = {integer_knob("window", 2., 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_window_entry
