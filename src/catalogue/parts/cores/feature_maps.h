// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/slots.h"
#include "ops/ratio.h"

// Attention by features: the weight of a pair is a product phi(q_i) . phi(k_j), so that sums over the keys are
// made once and asked by every query.
namespace attend {

// elu+1, relu, exp, 1+x.
Var feature_map(const std::string& name, Var x);

// fq_i . sum of fk_j^T x_j, over all j or over j <= i: fq [.. m r]  fk [.. n r]  x [.. n c] -> [.. m c].
// The sums are steps named S, in chunks where a state for every row would be too large.
Var asked_sums(const CoreIn& in, Var fq, Var fk, Var x);

// The same weighing, which gives the state after each row, S_t = sum over j <= t of fk_j^T v_j, as the output `states`
// [.. t p dv] where it is causal and they are no more numbers than the page draws.
Weighing with_states(const CoreIn& in, Var fk, Weighing weighing);
// Such states as that output; whoever computes them otherwise may have them.
bool states_fit(const CoreIn& in, std::size_t features, Var v);
void output_states(const CoreIn& in, Var states);

// Weights in proportion to the products: their rows sum to 1. Products that vanish in floats are kept apart from 0.
Weighing weighed_by_features(const CoreIn& in, Var fq, Var fk);

}  // namespace attend
