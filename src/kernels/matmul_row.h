// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernels/matmul_blocks.h"

// One row times a matrix: the memory is the limit, so the matrix is read once, in the order in which it lies. A tile
// would read a few columns of many rows.
namespace attend::kernels {

// So many sums stay in the first-level cache while the rows of b go by.
inline constexpr std::size_t row_columns = 4096;

// Adds a times one row of b to the sums. One row at a time, several vectors at once: of two rows that are read side by
// side the memory gives less (16 GB/s against 24 to 30, as WebAssembly).
template <class Arch>
void add_row(real a, const real* b, real* out, std::size_t count) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t together = 8;
  const Batch factor = Batch::broadcast(a);
  std::size_t j = 0;
  for (; j + together * Batch::size <= count; j += together * Batch::size) {
    Batch sum[together];
    for (std::size_t v = 0; v < together; ++v)
      sum[v] = multiply_add<Arch>(factor, Batch::load_unaligned(b + j + v * Batch::size),
                                  Batch::load_unaligned(out + j + v * Batch::size));
    for (std::size_t v = 0; v < together; ++v) sum[v].store_unaligned(out + j + v * Batch::size);
  }
  for (; j + Batch::size <= count; j += Batch::size)
    multiply_add<Arch>(factor, Batch::load_unaligned(b + j), Batch::load_unaligned(out + j))
        .store_unaligned(out + j);
  for (; j < count; ++j) out[j] += a * b[j];
}

// The width of a head in most models. So many sums stay in registers while all rows go by.
inline constexpr std::size_t head_columns = 64;

template <class Arch>
void multiply_row_by_head(const Product& s) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t vectors = head_columns / Batch::size;
  Batch sum[vectors];
  for (Batch& one : sum) one = Batch(0);
  const std::size_t a_step = s.a.column, b_step = s.b.row;
  const real *a = s.a.data, *b = s.b.data;
  for (const real* const end = b + s.k * b_step; b != end; a += a_step, b += b_step) {
    const Batch factor = Batch::broadcast(*a);
    for (std::size_t v = 0; v < vectors; ++v)
      sum[v] = multiply_add<Arch>(factor, Batch::load_unaligned(b + v * Batch::size), sum[v]);
  }
  for (std::size_t v = 0; v < vectors; ++v) sum[v].store_unaligned(s.out + v * Batch::size);
}

// Where the rows of b are contiguous. Each sum is one chain in the order of the row's numbers.
template <class Tile>
void multiply_row(const Product& s) {
  if (s.n == head_columns) return multiply_row_by_head<typename Tile::Arch>(s);
  for (std::size_t j0 = 0; j0 < s.n; j0 += row_columns) {
    const std::size_t count = std::min(row_columns, s.n - j0);
    real* const out = s.out + j0;
    std::fill_n(out, count, real(0));
    for (std::size_t p = 0; p < s.k; ++p)
      add_row<typename Tile::Arch>(s.a.data[p * s.a.column], s.b.data + p * s.b.row + j0, out,
                                   count);
  }
}

// So many partial sums make a dot product, so that it does not depend on the width of a vector.
inline constexpr std::size_t dot_lanes = 16;

// Of `Columns` columns at once, which share what they read of a.
template <class Arch, std::size_t Columns>
void dot_columns(const real* a, const real* b, std::size_t b_column, std::size_t count, real* out) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t vectors = dot_lanes / Batch::size;
  Batch sum[Columns][vectors];
  for (std::size_t c = 0; c < Columns; ++c)
    for (std::size_t v = 0; v < vectors; ++v) sum[c][v] = Batch(0);
  std::size_t p = 0;
  for (; p + dot_lanes <= count; p += dot_lanes) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const Batch own = Batch::load_unaligned(a + p + v * Batch::size);
      for (std::size_t c = 0; c < Columns; ++c)
        sum[c][v] = multiply_add<Arch>(
            own, Batch::load_unaligned(b + c * b_column + p + v * Batch::size), sum[c][v]);
    }
  }
  for (std::size_t c = 0; c < Columns; ++c) {
    std::array<real, dot_lanes> lanes;
    for (std::size_t v = 0; v < vectors; ++v)
      sum[c][v].store_unaligned(lanes.data() + v * Batch::size);
    real all = 0;
    for (const real lane : lanes) all += lane;
    for (std::size_t rest = p; rest < count; ++rest) all += a[rest] * b[c * b_column + rest];
    out[c] = all;
  }
}

// Where the columns of b are contiguous, and the row is: dot products.
template <class Tile>
void multiply_row_by_dots(const Product& s) {
  using Arch = typename Tile::Arch;
  std::size_t j = 0;
  for (; j + 2 <= s.n; j += 2)
    dot_columns<Arch, 2>(s.a.data, s.b.data + j * s.b.column, s.b.column, s.k, s.out + j);
  if (j < s.n)
    dot_columns<Arch, 1>(s.a.data, s.b.data + j * s.b.column, s.b.column, s.k, s.out + j);
}

// Where the columns of b are contiguous, with each sum in the order of the row's numbers: a vector of columns at a
// time, turned in squares.
template <class Tile>
void multiply_row_by_columns(const Product& s) {
  using Batch = PackBatch<typename Tile::Arch>;
  using Arch = typename Batch::arch_type;
  std::size_t j = 0;
  for (; j + pack_size <= s.n; j += pack_size) {
    const real* const b = s.b.data + j * s.b.column;
    Batch sum(0);
    std::size_t p = 0;
    for (; p + pack_size <= s.k; p += pack_size) {
      std::array<Batch, pack_size> square;
      for (std::size_t i = 0; i < pack_size; ++i)
        square[i] = Batch::load_unaligned(b + i * s.b.column + p);
      xsimd::transpose(square.data(), square.data() + pack_size);
      for (std::size_t i = 0; i < pack_size; ++i)
        sum = multiply_add<Arch>(Batch::broadcast(s.a.data[(p + i) * s.a.column]), square[i], sum);
    }
    sum.store_unaligned(s.out + j);
    for (; p < s.k; ++p) {
      for (std::size_t i = 0; i < pack_size; ++i)
        s.out[j + i] += s.a.data[p * s.a.column] * b[i * s.b.column + p];
    }
  }
  for (; j < s.n; ++j) {
    real sum = 0;
    for (std::size_t p = 0; p < s.k; ++p)
      sum += s.a.data[p * s.a.column] * s.b.data[p + j * s.b.column];
    s.out[j] = sum;
  }
}

template <class Tile>
constexpr Machine machine_with(std::size_t cost = 1) {
  static_assert(Tile::cols > 0, "this file is not compiled for this architecture");
  return {multiply_blocks<Tile>,
          multiply_row<Tile>,
          multiply_row_by_columns<Tile>,
          multiply_row_by_dots<Tile>,
          Tile::cols,
          multiply_strip<Tile, Tile::template rows<true>, true, true>,
          Tile::template rows<true>,
          cost};
}

}  // namespace attend::kernels
