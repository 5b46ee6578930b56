// SPDX-License-Identifier: Apache-2.0
// Chunks: row i sees its own chunk of `block` keys and the `back` chunks before it, always j <= i
// The chunked layers of Llama 4 are the form with back = 0; Meta 2025, no paper
#include "catalogue/entry.h"

namespace attend::mask_sliding_chunk_entry {
namespace {

// Written as the pattern of mask-block-local, which the fast kernels know.
Var build(const MaskIn& in) {
  const double block = in.number("block"), before = in.number("back") * block;
  const Var start = floor(in.rows() / block) * block;           // [m 1]
  const Var after = greater(in.columns(), start - before - 1);  // [m n]
  return in.stated(after, recent_intent(block, before)) *
         in.stated(greater(in.rows() + 1, in.columns()), causal_intent());
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t block = in.integer("block"), back = in.integer("back");
  return each_pair(
      in, [&](std::size_t i, std::size_t j) { return j <= i && i / block - j / block <= back; });
}

extern const Mechanism record{.id = "mask-sliding-chunk",
                              .aliases = {"chunked"},
                              .knobs = {integer_knob("block", 4., 1, 32).at_least(1),
                                        integer_knob("back", 1., 0, 8).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_sliding_chunk_entry
