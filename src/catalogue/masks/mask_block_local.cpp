// SPDX-License-Identifier: Apache-2.0
// Local blocks: row i in query block c = floor(i / l_q) sees keys c l_q - l_m <= j <= i
// Parmar et al. 2018 (Image Transformer), 1D local attention, arXiv:1802.05751
#include "catalogue/entry.h"

namespace attend::mask_block_local_entry {
namespace {

Var build(const MaskIn& in) {
  const double length = in.number("l_q"), memory = in.number("l_m");
  const Var start = floor(in.rows() / length) * length;         // [m 1]
  const Var after = greater(in.columns() + 1, start - memory);  // [m n] j >= start - l_m
  return in.stated(after, recent_intent(length, memory)) *
         in.stated(greater(in.rows() + 1, in.columns()), causal_intent());
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t length = in.integer("l_q"), memory = in.integer("l_m");
  return each_pair(
      in, [&](std::size_t i, std::size_t j) { return j <= i && j + memory >= i - i % length; });
}

extern const Mechanism record{.id = "mask-block-local",
                              .knobs = {integer_knob("l_q", 4., 1, 32).at_least(1),
                                        integer_knob("l_m", 4., 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_block_local_entry
