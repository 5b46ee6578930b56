// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/part_parameters.h"
#include "catalogue/parts/layers/vector_attention.h"
#include "catalogue/slots.h"

// Masked block self-attention: tokens attend inside their block, without a gate, each block becomes a
// vector v, the blocks attend to each other, a gate joins v and what it saw, and a last gate joins
// everything to the token. Shen et al. 2018 (Bi-BloSAN).
namespace attend {

namespace mblosa_parts {
inline constexpr auto pool = std::to_array<Parameter>({{"W1", "d a"},
                                                       {"b1", "a", Distribution::zero},
                                                       {"W2", "a d"},
                                                       {"b2", "d", Distribution::zero}});
inline constexpr auto last_gate = std::to_array<Parameter>({{"W_g", "3*d d"},
                                                            {"b_g", "d", Distribution::zero},
                                                            {"W", "3*d d"},
                                                            {"b", "d", Distribution::zero}});
}  // namespace mblosa_parts
inline constexpr const auto& mblosa_parameters =
    joined_parameters<under<"inner", pair_parameters>, under<"pool", mblosa_parts::pool>,
                      under<"outer", pair_parameters>, under<"outer", fusion_parameters>,
                      mblosa_parts::last_gate>;

// How many tokens a block has; without it as many as make the maps smallest.
constexpr Knob block_knob() {
  Knob knob = integer_knob("block", "near the cube root of 2n", 1, 8).at_least(1);
  knob.optional = true;
  return knob;
}

// The length of a block for n tokens: the knob, which must divide n, or else the divisor of n that
// is nearest to the cube root of 2n, where the maps of both levels have the fewest numbers.
std::size_t block_length(const Scope& in, std::size_t n);

struct TwoLevels {
  Var inner, pool, outer;  // weights [B b b d] [B b d] [B B d]
  Var output;              // [n d]
};
// x [n d], the parameters inner.W1, .. of the scope or its part; a token sees those before it, or those after it.
TwoLevels attend_in_blocks(const Scope& in, Var x, std::size_t block, bool forward);

// Its maps: inner.weights, pool.weights, outer.weights.
Tensors maps_of(const TwoLevels& levels);

// The same by plain loops: the output.
Array blocks_by_loops(const ReferenceIn& in, const std::string& prefix, bool forward);

}  // namespace attend
