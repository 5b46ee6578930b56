// SPDX-License-Identifier: Apache-2.0
// Dilated window: row i sees every dilation-th key within the window,  |i - j| <= window, (i - j) mod dilation = 0
// Beltagy et al. 2020 (Longformer), arXiv:2004.05150
#include "catalogue/entry.h"

namespace attend::mask_dilated_entry {
namespace {

Var build(const MaskIn& in) {
  const double dilation = in.number("dilation");
  const Var gap = absolute(in.rows() - in.columns());  // [m n]
  const double window = in.number("window");
  const Var near = in.stated(greater(scalar(gap, window + 0.5), gap), band_intent(window, window));
  return dilation == 1 ? near : near * equal(gap, floor(gap / dilation) * dilation);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t window = in.integer("window"), dilation = in.integer("dilation");
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    const std::size_t gap = std::max(i, j) - std::min(i, j);
    return gap <= window && gap % dilation == 0;
  });
}

extern const Mechanism record{.id = "mask-dilated",
                              .knobs = {integer_knob("window", 4., 0, 32).at_least(0),
                                        integer_knob("dilation", 2., 1, 8).at_least(1)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_dilated_entry
