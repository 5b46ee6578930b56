// SPDX-License-Identifier: Apache-2.0
// Backward mask: row i sees keys j > i, not itself
// Shen et al. 2018 (DiSAN), directional self-attention, arXiv:1709.04696
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::mask_directional_bw_entry {
namespace {

Var build(const MaskIn& in) {
  return in.stated(greater(in.columns(), in.rows()), band_intent(-1, HUGE_VAL));  // [m n]
}

Arrays reference(const ReferenceIn& in) {
  return each_pair(in, [&](std::size_t i, std::size_t j) { return j > i; });
}

}  // namespace

extern const Mechanism mask_directional_bw_record;
const Mechanism mask_directional_bw_record{.id = "mask-directional-bw",
                                           .aliases = {"backward"},
                                           .laws = {.permutation = false},
                                           .behaviour = Mask{build}};
extern const Reference mask_directional_bw_reference;
const Reference mask_directional_bw_reference{reference};
}  // namespace attend::mask_directional_bw_entry
