// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// Attention of tokens to one another with a weight for every feature of every pair (Shen et al. 2018, DiSAN): what
// token2token, the blocks of mblosa and resa are made of. The parameters are those of the scope, or of its part.
namespace attend {

inline constexpr auto pair_parameters =
    std::to_array<Parameter>({{"W1", "d d"}, {"W2", "d d"}, {"b1", "d", Distribution::zero}});
inline constexpr auto fusion_parameters =
    std::to_array<Parameter>({{"W_s", "d d"}, {"W_h", "d d"}, {"b_f", "d", Distribution::zero}});

// e_ij = c tanh((x_i W1 + x_j W2 + b1) / c), a vector for each pair: [.. n d] -> [.. n n d]
Var vector_scores(const Scope& in, Var x);

// s_i = sum_j a_ij * x_j by feature: a [.. n n d]  x [.. n d] -> [.. n d]
Var vector_context(Var a, Var x);

// How far a token keeps itself beside what it saw: f = sigmoid(s W_s + x W_h + b_f), f * x + (1 - f) * s, all [.. n d].
struct Fused {
  Var gate, rows;
};
Fused fuse_with(const Scope& in, Var x, Var s);

}  // namespace attend
