// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"

// Reductions and scans over a dense row-major matrix x[rows cols]. No alignment is needed. The
// output may not overlap the input except where a function says so. rows = 0 touches nothing.
// Sums run over fixed interleaved lanes that are joined in a fixed order, so that a row gives the
// same number wherever it lies and on every machine.
namespace attend::kernels {

// out[rows]: sum over the columns; 0 for no columns.
void sum_rows(const real* x, real* out, std::size_t rows, std::size_t cols);

// out[rows]: the largest element; NaN if the row holds one; -infinity for no columns.
void max_rows(const real* x, real* out, std::size_t rows, std::size_t cols);

// out[rows]: the column of the largest element as a number, the lowest column on ties; the first
// NaN counts as the largest; 0 for no columns.
void argmax_rows(const real* x, real* out, std::size_t rows, std::size_t cols);

// out[rows cols]: out_ij = sum of x_il over l <= j, or over l >= j when `reverse`; added one
// after the other in that direction. `out` may be `x`.
void cumsum_rows(const real* x, real* out, std::size_t rows, std::size_t cols, bool reverse);

// out[cols]: sum over the rows, added in ascending row; zeros for no rows.
void sum_columns(const real* x, real* out, std::size_t rows, std::size_t cols);

// out[rows cols]: out_ij = exp(x_ij - max_i) / sum over l of exp(x_il - max_i), max and sum over
// the entries that the mask keeps. `mask` is null (all kept) or 0/1 entries, 0 excluded, row i at
// mask + i * mask_row_stride (stride 0: one row for all). Excluded entries are exactly 0 whatever
// x holds there, and a row with nothing kept is all zeros. A kept NaN or +infinity makes the kept
// entries of its row NaN; a kept -infinity weighs 0, and a row that keeps nothing else is zeros.
// `out` may be `x`.
void softmax_rows(const real* x, const real* mask, std::size_t mask_row_stride, real* out,
                  std::size_t rows, std::size_t cols);

// One row of alpha-entmax, alpha = 1 + r with r >= 0:  out_j = p [1 + r (x_j - max) / p^r]_+^{1/r},
// where p, the largest weight, makes the row sum to 1; r = 0 is softmax. `mask` is null or `cols`
// entries 0/1. Computed in double whatever `real` is, to the last bits of p. NaN, infinities and
// rows with nothing kept as in softmax_rows. `out` may be `x`.
inline constexpr int entmax_most_steps = 128;  // of its search for p
struct Entmax {
  double largest;
  int steps;  // of the search; each reads the entries that may have weight
};
Entmax entmax_row(const real* x, const real* mask, double r, real* out, std::size_t cols);

// out[rows cols]: the columns of each row in the order of descending value, as numbers; stable
// (equal values keep their order), NaN first.
void argsort_rows(const real* x, real* out, std::size_t rows, std::size_t cols);

}  // namespace attend::kernels
