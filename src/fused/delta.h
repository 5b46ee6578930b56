// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/features.h"

// Fast weights with the delta rule, on features: W_t = W_{t-1} + f_t^T u_t with u_t = beta_t (v_t - f_t W_{t-1}), and
// y_t = g_t W_t. In chunks of 32 tokens the u of a chunk are found from each other's products, and everything else is
// products of matrices; what is kept of a chunk is the W before it.
namespace attend::fused {

struct DeltaRule {
  FeatureAttention a;          // m = n; causal and without division whatever it says; no `positive`
  const real* beta = nullptr;  // [heads n]; null: 1 everywhere
  std::size_t beta_head = 0;
};

void attend_by_delta(const DeltaRule& rule, Place out);

struct DeltaGradients {
  Place q, k, v;         // one head after the other
  real* beta = nullptr;  // [heads n] or null
};

// The gradients for a gradient of the output; overwritten.
void attend_by_delta_backward(const DeltaRule& rule, Rows out_gradient, DeltaGradients gradients);

}  // namespace attend::fused
