// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// Implied maps of more keys are given to those who ask for them.
inline constexpr std::size_t most_implied_keys = 512;

// What a core's context makes of each value: the context at V = I, [.. m n] in the batch of q [.. m p] and k [.. n p].
// Its steps have no names. Empty where it would be larger than a tensor may be.
Var implied_map(const Weighing& weighing, Var q, Var k);

// The largest number up to the root of n that divides m queries and n keys evenly: a core's default for its blocks.
std::size_t even_part(std::size_t m, std::size_t n);

}  // namespace attend
