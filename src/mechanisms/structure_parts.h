// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mechanisms/slots.h"

// What structures that write out their own formula have in common.
namespace attend {

// The structure again, with the sizes that its inputs and given parameters settle.
StructureIn sized(const StructureIn& in);

// The product [m n] of the masks in the slot `mask`, which becomes the output `mask`; empty when
// there are none.
Var joint_mask(const BuildIn& in, std::size_t m, std::size_t n);

// Softmax over the keys for every feature: scores [.. n d], mask [.. n] of 0 and 1, or empty.
Var softmax_by_feature(Var scores, Var mask = {});

}  // namespace attend
