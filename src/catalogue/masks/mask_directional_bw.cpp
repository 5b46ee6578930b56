// SPDX-License-Identifier: Apache-2.0
// Backward mask: row i sees keys j > i, not itself
// Shen et al. 2018 (DiSAN), directional self-attention, arXiv:1709.04696
#include "catalogue/entry.h"

namespace attend::mask_directional_bw_entry {
namespace {

Var build(const MaskIn& in) {
  return in.stated(greater(in.columns(), in.rows()), band_intent(-1, HUGE_VAL));  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_pair(in, [&](std::size_t i, std::size_t j) { return j > i; });
}

extern const Mechanism record{.id = "mask-directional-bw",
                              .aliases = {"backward"},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_directional_bw_entry
