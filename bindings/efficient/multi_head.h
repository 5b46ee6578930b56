// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"

// Attention between its projections: merge(attend(split(x W_Q), split(y W_K), split(y W_V))) W_O.
namespace attend::fused {

struct MultiHead {
  std::size_t m = 0;          // rows of x
  std::size_t n = 0;          // rows of y
  std::size_t width = 0;      // of x, y, the output and all heads together
  std::size_t heads = 1;      // divides the width; scores are scaled by 1 / sqrt(width / heads)
  const real* x = nullptr;    // [m width]
  const real* y = nullptr;    // [n width], for self-attention x again
  const real* w_q = nullptr;  // [width width], row-major, applied from the right
  const real* w_k = nullptr;
  const real* w_v = nullptr;
  const real* w_o = nullptr;
  std::ptrdiff_t before = unbounded;
  std::ptrdiff_t after = unbounded;
  std::ptrdiff_t offset = 0;
  Rows bias;
  Rows mask;
};

// out[m width].
void multi_head(const MultiHead& a, real* out, Statistics statistics = {});

}  // namespace attend::fused
