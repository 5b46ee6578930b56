// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// How a module calls a core: the general module, and layers that hold one in a slot.
namespace attend {

// Adds the sizes that the defaults of cores are made of: q [.. m p], k [.. n p], and the rows before any projection.
void add_core_sizes(Dimensions& d, Var q, Var k, const Triple& whole);

// Implied maps of more keys than this are computed only on request.
inline constexpr std::size_t most_implied_keys = 512;

// The map that a core's context implies: the context at V = I, [.. m n] in the batch of q and k, or one map for each
// feature, [.. dv m n]. Its steps have no names. Empty where it would be larger than a tensor may be.
Var implied_map(const Weighing& weighing, Var q, Var k);

}  // namespace attend
