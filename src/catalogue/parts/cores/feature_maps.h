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
FeatureMap feature_map_of(const std::string& name);

// What features are made of. A kernel that knows the map computes them where it reads the rows; else they are given.
struct MadeOf {
  FeatureMap map = FeatureMap::given;
  Var q = {}, k = {}, drawn = {};
  bool sum_norm = false;
};

// fq_i . sum of fk_j^T x_j, over all j or over j <= i: fq [.. m r]  fk [.. n r]  x [.. n c] -> [.. m c].
// The sums are steps named S, in chunks where a state for every row would be too large.
Var asked_sums(const CoreIn& in, Var fq, Var fk, Var x, const MadeOf& made = {});

// The same weighing, which gives the state after each row, S_t = sum over j <= t of fk_j^T v_j, as the output `states`
// [.. t p dv] where it is causal and they are no more numbers than the page draws.
Weighing with_states(const CoreIn& in, Var fk, Weighing weighing);
// Such states as that output; whoever computes them otherwise may have them.
bool states_fit(const CoreIn& in, std::size_t features, Var v);
void output_states(const CoreIn& in, Var states);

// Weights in proportion to the products: their rows sum to 1. Products that vanish in floats are kept apart from 0.
Weighing weighed_by_features(const CoreIn& in, Var fq, Var fk, const MadeOf& made = {});
// States that a context is that of such features; `gates` [.. n 1] may be empty.
Var stated_features(const CoreIn& in, Var context, Features features, const MadeOf& made, Var v,
                    Var gates = {});

}  // namespace attend
