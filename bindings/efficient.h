// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The efficient forms as a module of their own, efficient.wasm, called as fused.wasm is (bindings/fused.h), with one
// record of 32-bit words for all of them. Tensors are dense, [heads rows width]. Backward calls read what the forward
// call wrote.
//
//   malloc(bytes) -> address, free(address)
//   fused_features(record), fused_features_backward(record)     own words: map, r, drawn, its head stride, causal,
//                                                               1 no division + 2 rows of sum 1, gates, their
//                                                               head stride, gradient of the gates or 0
//   fused_delta(record), .._backward                            as features, with beta for gates; its gradient or 0
//   fused_strided(record), .._backward                          l, part
//   fused_fixed(record), .._backward                            l, c, part
//   fused_blocks(record), .._backward                           size, causal, starts, blocks
//   fused_hashed(record), .._backward                           rounds, buckets, chunk, causal, planes, its head stride
//   fused_mixed(record), .._backward                            r, e, g
//   fused_spans(record), .._backward                            z, its row and head strides, ramp, causal,
//                                                               gradient of z or 0
//   fused_clusters(record), .._backward                         c, clusters of the queries
//   fused_landmarks(record), .._backward                        s, landmarks, ridge
namespace attend::bindings {

struct FormRecord {
  std::uint32_t heads;   // word 0
  std::uint32_t m;       // 1
  std::uint32_t n;       // 2
  std::uint32_t d;       // 3
  std::uint32_t dv;      // 4
  float scale;           // 5
  float* q;              // 6
  float* k;              // 7
  float* v;              // 8
  float* out;            // 9
  float* first;          // 10, [heads m]: totals of features, else the largest scores
  float* second;         // 11, [heads m]: sums; not for features
  float* out_gradient;   // 12
  float* q_gradient;     // 13
  float* k_gradient;     // 14
  float* v_gradient;     // 15
  std::uint32_t own[9];  // 16 .. 24, as listed above; addresses are bytes
};

}  // namespace attend::bindings
