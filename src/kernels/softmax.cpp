// SPDX-License-Identifier: Apache-2.0
#include "kernels/row_loops.h"
#include "kernels/rows.h"

namespace attend::kernels {
namespace {

RowLoops choose() {
#ifdef ATTEND_AVX2
  if (xsimd::available_architectures().has(xsimd::avx2{})) return rows_with_avx2();
#endif
  return LoopsOfRows<xsimd::default_arch>::all();
}

}  // namespace

const RowLoops& row_loops() {
  static const RowLoops chosen = choose();
  return chosen;
}

void sum_rows(const real* x, real* out, std::size_t rows, std::size_t cols) {
  row_loops().sum(x, out, rows, cols);
}

void sum_columns(const real* x, real* out, std::size_t rows, std::size_t cols) {
  row_loops().sum_columns(x, out, rows, cols);
}

void softmax_rows(const real* x, const real* mask, std::size_t mask_row_stride, real* out,
                  std::size_t rows, std::size_t cols) {
  row_loops().softmax(x, mask, mask_row_stride, out, rows, cols);
}

}  // namespace attend::kernels
