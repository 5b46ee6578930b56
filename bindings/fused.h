// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The fast kernels as a module of their own, fused.wasm: for workers and for a direct call. No
// JSON, no Embind. A call reads a record of 32-bit words that JavaScript writes once and uses
// again: whole numbers and addresses through an Int32Array, `scale` through a Float32Array.
// Addresses are bytes, strides are elements (float32).
//
//   malloc(bytes) -> address, free(address)
//   fused_attend(record, first_head, last_head, first_row, last_row)            forward
//   fused_backward(record, first_head, last_head, first_row, last_row)   gradients of these rows
//   fused_row(record, head, row, weights)                             weights[n] of one query
//   fused_multi_head(record)                                  with the projections
//
// Ranges are half open; an end past the last means the last. Views of the memory die when it grows,
// which malloc and fused_multi_head may do; the other calls grow it the first time at most.
namespace attend::bindings {

// An address 0 in `bias`, `mask` or `bias_gradient` means none, as in `largest` and `sum` of a
// forward call. 0x7fffffff in `before` or `after` is unbounded. What each means: fused/attention.h.
struct Matrix {
  float* data;
  std::uint32_t row;
  std::uint32_t head;
};

struct AttentionRecord {
  std::uint32_t heads;   // word 0
  std::uint32_t m;       // 1
  std::uint32_t n;       // 2
  std::uint32_t d;       // 3
  std::uint32_t dv;      // 4
  float scale;           // 5
  std::int32_t before;   // 6
  std::int32_t after;    // 7
  std::int32_t offset;   // 8
  Matrix q;              // 9, 10, 11: address, row stride, head stride
  Matrix k;              // 12
  Matrix v;              // 15
  Matrix bias;           // 18
  Matrix mask;           // 21
  Matrix out;            // 24
  float* largest;        // 27
  float* sum;            // 28
  Matrix out_gradient;   // 29, read by fused_backward, as out, largest and sum are
  Matrix q_gradient;     // 32
  Matrix k_gradient;     // 35
  Matrix v_gradient;     // 38
  Matrix bias_gradient;  // 41 .. 43
};

// Scores are scaled by 1 / sqrt(width / heads). Tensors are dense: x and out [m width], y [n
// width], weights [width width] applied from the right.
struct MultiHeadRecord {
  std::uint32_t m;      // word 0
  std::uint32_t n;      // 1
  std::uint32_t width;  // 2
  std::uint32_t heads;  // 3
  float* x;             // 4
  float* y;             // 5, for self-attention x again
  float* w_q;           // 6
  float* w_k;           // 7
  float* w_v;           // 8
  float* w_o;           // 9
  float* out;           // 10
  std::int32_t before;  // 11
  std::int32_t after;   // 12
  std::int32_t offset;  // 13
  Matrix bias;          // 14
  Matrix mask;          // 17
  float* largest;       // 20, [heads m] or 0
  float* sum;           // 21, [heads m] or 0
};

}  // namespace attend::bindings
