// SPDX-License-Identifier: Apache-2.0
// Forward mask: row i sees keys j < i, not itself
// Shen et al. 2018 (DiSAN), directional self-attention, arXiv:1709.04696
#include "catalogue/entry.h"

namespace attend::mask_directional_fw_entry {
namespace {

Var build(const MaskIn& in) {
  return in.stated(greater(in.rows(), in.columns()), band_intent(HUGE_VAL, -1));  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_pair(in, [&](std::size_t i, std::size_t j) { return j < i; });
}

extern const Mechanism record{.id = "mask-directional-fw",
                              .aliases = {"forward"},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_directional_fw_entry
