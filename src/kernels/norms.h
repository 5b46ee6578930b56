// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"

// LayerNorm of a dense row-major matrix x[rows cols]. No alignment is needed, and no output may overlap an input.
namespace attend::kernels {

struct NormRows {
  const real* x;
  const real* gamma;  // [cols]
  real eps;
  std::size_t rows, cols;
};

struct NormSlopes {
  real* x;      // [rows cols]
  real* gamma;  // [cols], added in ascending row
  real* beta;   // [cols], added in ascending row
};

struct NormLoops {
  void (*forward)(const NormRows& rows, const real* beta, real* out);
  void (*backward)(const NormRows& rows, const real* slope, const NormSlopes& out);
};

// For the machine at hand.
const NormLoops& norm_loops();
// Only where ATTEND_AVX2 is defined, for machines that have it.
NormLoops norms_with_avx2();

// out[rows cols]: (x_ij - mean_i) / sqrt(variance_i + eps) gamma_j + beta_j, with the biased variance. The numbers are
// those of the same formula out of sum_rows and elementwise operations, except where relaxed SIMD fuses them.
inline void layer_norm_rows(const NormRows& rows, const real* beta, real* out) {
  norm_loops().forward(rows, beta, out);
}

// The gradients of sum(slope * layer_norm) by x, gamma and beta.
inline void layer_norm_slopes(const NormRows& rows, const real* slope, const NormSlopes& out) {
  norm_loops().backward(rows, slope, out);
}

}  // namespace attend::kernels
