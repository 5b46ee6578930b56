// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/matmul_blocks.h"

namespace attend::kernels {

// So many sums stay in the first-level cache while the rows of b go by.
inline constexpr std::size_t row_columns = 1024;

// Adds `Rows` rows of b, each times its number, to the sums: each sum stays one chain in the order of the rows.
template <class Arch, std::size_t Rows>
void add_rows(const real* a, std::size_t a_step, const real* b, std::size_t b_row, real* out,
              std::size_t count) {
  using Batch = xsimd::batch<real, Arch>;
  Batch factor[Rows];
  for (std::size_t r = 0; r < Rows; ++r) factor[r] = Batch::broadcast(a[r * a_step]);
  std::size_t j = 0;
  for (; j + Batch::size <= count; j += Batch::size) {
    Batch sum = Batch::load_unaligned(out + j);
    for (std::size_t r = 0; r < Rows; ++r)
      sum = multiply_add<Arch>(factor[r], Batch::load_unaligned(b + r * b_row + j), sum);
    sum.store_unaligned(out + j);
  }
  for (; j < count; ++j) {
    for (std::size_t r = 0; r < Rows; ++r) out[j] += a[r * a_step] * b[r * b_row + j];
  }
}

// One row times a matrix whose rows are contiguous: they are read in the order in which they lie, which the memory
// gives fastest. A tile would read a few columns of many rows.
template <class Tile>
void multiply_row(const Product& s) {
  using Arch = typename Tile::Arch;
  for (std::size_t j0 = 0; j0 < s.n; j0 += row_columns) {
    const std::size_t count = std::min(row_columns, s.n - j0);
    real* const out = s.out + j0;
    std::fill_n(out, count, real(0));
    const real* b = s.b.data + j0;
    const real* a = s.a.data;
    std::size_t p = 0;
    for (; p + 4 <= s.k; p += 4, a += 4 * s.a.column, b += 4 * s.b.row)
      add_rows<Arch, 4>(a, s.a.column, b, s.b.row, out, count);
    for (; p < s.k; ++p, a += s.a.column, b += s.b.row)
      add_rows<Arch, 1>(a, s.a.column, b, s.b.row, out, count);
  }
}

template <class Tile>
constexpr Machine machine_with(std::size_t cost = 1) {
  static_assert(Tile::cols > 0, "this file is not compiled for this architecture");
  return {multiply_blocks<Tile>, multiply_row<Tile>, Tile::cols, cost};
}

}  // namespace attend::kernels
