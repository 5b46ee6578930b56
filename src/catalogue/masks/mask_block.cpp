// SPDX-License-Identifier: Apache-2.0
// Blocks: row i sees the keys of its own block of b tokens
// Shen et al. 2018 (Bi-BloSAN), section 3.1, arXiv:1804.00857
#include "catalogue/entry.h"

namespace attend::mask_block_entry {
namespace {

Var build(const MaskIn& in) {
  const double b = in.number("block");
  const Var own = equal(floor(in.rows() / b), floor(in.columns() / b));  // [m n]
  return in.stated(own, blocks_intent(b));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t b = in.integer("block");
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i / b == j / b; });
}

extern const Mechanism record{.id = "mask-block",
                              .aliases = {"block-diagonal"},
                              .knobs = {integer_knob("block", 4., 1, 32).at_least(1)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_block_entry
