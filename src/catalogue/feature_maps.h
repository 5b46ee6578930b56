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

// Weights in proportion to the products: their rows sum to 1. Products that vanish in floats are kept apart from 0.
Weighing weighed_by_features(const CoreIn& in, Var fq, Var fk);

}  // namespace attend
