// SPDX-License-Identifier: Apache-2.0
// Prefix: row i sees keys j <= i, and every row sees the first `length` keys
// Raffel et al. 2019 (T5), the prefix language model, arXiv:1910.10683
#include "catalogue/entry.h"

namespace attend::mask_prefix_entry {
namespace {

Var build(const MaskIn& in) {
  const Var j = in.columns();                                           // [n]
  const Var prefix = greater(scalar(j, in.number("length") - 0.5), j);  // [n]
  return in.stated(maximum(greater(in.rows() + 1, j), prefix),          // [m n]
                   first_intent(in.number("length")));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t length = in.integer("length");
  return each_pair(in, [&](std::size_t i, std::size_t j) { return j < std::max(i + 1, length); });
}

extern const Mechanism record{.id = "mask-prefix",
                              .aliases = {"prefix-lm"},
                              .knobs = {integer_knob("length", 1., 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_prefix_entry
