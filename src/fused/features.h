// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fused/attention.h"
#include "ops/feature_map.h"

// Attention by features: out_i = sum_j s_ij v_j / sum_j s_ij with s_ij = phi(q_i) . phi(k_j), over all keys or
// over j <= i. The sums over keys are made once, so that time grows with n and not with its square; features and
// sums live in blocks of rows, so that room does not grow with n at all.
namespace attend::fused {

using attend::FeatureMap;

struct FeatureAttention {
  std::size_t heads = 1;
  std::size_t m = 0;   // queries
  std::size_t n = 0;   // keys
  std::size_t d = 0;   // width of queries and keys
  std::size_t dv = 0;  // width of values
  std::size_t r = 0;   // features; d where the map has one for each number
  Rows q;              // [heads m d]
  Rows k;              // [heads n d]
  Rows v;              // [heads n dv]
  Rows drawn;          // [heads r d], for `positive` and `rectified`; [heads r/2 d] for `fourier`
  FeatureMap map = FeatureMap::elu_plus_one;
  bool causal = false;
  bool divides =
      true;  // by the sum of the weights; not with `positive`, whose features leave a common factor out
  bool sum_norm = false;  // each row of features is divided by its sum; of maps without drawn rows
  // [heads n] or null, causal and m = n only: S_t = g_t S_{t-1} + (1 - g_t) f_t^T v_t, and so the sum.
  const real* gates = nullptr;
  std::size_t gates_head = 0;
};

// out [heads m dv]; a row whose sum is 0 gets zeros. `total` [heads m] dense, or null: what rows were divided by,
// in a scale that the backward pass knows; it is not written where nothing is divided.
void attend_by_features(const FeatureAttention& a, Place out, real* total = nullptr);

struct FeatureGradients {
  Place q, k, v;  // one head after the other: a head stride of 0 is not for these
  // [heads n] as the gates lie, summed over heads that share them, or null. Keeps a state for every 64 tokens.
  real* gates = nullptr;
  Place drawn = {};  // of the drawn rows, one head after the other; or null
};

// The gradients for a gradient of the output, from what attend_by_features() gave; overwritten.
void attend_by_features_backward(const FeatureAttention& a, Rows out, const real* total,
                                 Rows out_gradient, FeatureGradients gradients);

}  // namespace attend::fused
