// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernels/matmul_blocks.h"
#include "kernels/row_streams.h"

// One row times a matrix: the memory is the limit, so the matrix is read once, in the order in which it lies. A tile
// would read a few columns of many rows.
namespace attend::kernels {

// So many sums stay in the first-level cache while the rows of b go by.
inline constexpr std::size_t row_columns = 4096;

// Adds `Rows` numbers of a, each times its row of b, to the sums, in this order. The numbers are a_step apart, and the
// rows b_step. Never inlined: the function of its own is smaller, and a WebAssembly engine compiles it better.
template <class Arch, std::size_t Rows>
[[gnu::noinline]] void add_rows(const real* a, std::size_t a_step, const real* b,
                                std::size_t b_step, real* out, std::size_t count) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t together = 8 / Rows;
  Batch factor[Rows];
  for (std::size_t r = 0; r < Rows; ++r) factor[r] = Batch::broadcast(a[r * a_step]);
  std::size_t j = 0;
  for (; j + together * Batch::size <= count; j += together * Batch::size) {
    Batch sum[together];
    for (std::size_t v = 0; v < together; ++v)
      sum[v] = Batch::load_unaligned(out + j + v * Batch::size);
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t v = 0; v < together; ++v)
        sum[v] = multiply_add<Arch>(
            factor[r], Batch::load_unaligned(b + r * b_step + j + v * Batch::size), sum[v]);
    for (std::size_t v = 0; v < together; ++v) sum[v].store_unaligned(out + j + v * Batch::size);
  }
#if defined(__clang__)  // it would make vectors of the few columns that are left, too
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (; j < count; ++j)
    for (std::size_t r = 0; r < Rows; ++r) out[j] += a[r * a_step] * b[r * b_step + j];
}

// One row times each of `count` matrices of 64 columns with contiguous rows. Each sum is one chain in the order of the
// row's numbers.
template <class Tile>
void multiply_row_by_heads(const Product& first, const BatchSteps& steps) {
  using Arch = typename Tile::Arch;
  const std::size_t a_step = first.a.column, b_step = first.b.row;
  for (std::size_t t = 0; t < steps.count; t += row_streams) {
    const std::size_t end = std::min(t + row_streams, steps.count);
    for (std::size_t head = t; head < end; ++head)
      std::fill_n(first.out + head * steps.out, head_columns, real(0));
    const auto add = [&](std::size_t p, auto rows) {
      for (std::size_t head = t; head < end; ++head)
        rows(first.a.data + head * steps.a + p * a_step, a_step,
             first.b.data + head * steps.b + p * b_step, b_step, first.out + head * steps.out,
             head_columns);
    };
    for (std::size_t p = 0; p + 2 <= first.k; p += 2) add(p, add_rows<Arch, 2>);
    if (first.k % 2 == 1) add(first.k - 1, add_rows<Arch, 1>);
  }
}

// Where the rows of b are contiguous. Each sum is one chain in the order of the row's numbers; from `streamed_from` on,
// the chain takes a number of each quarter of the row in turns, and then what is left.
template <class Tile>
void multiply_row(const Product& s) {
  using Arch = typename Tile::Arch;
  const std::size_t quarter = rows_of_stream(s.k, s.n);
  const std::size_t a_step = s.a.column, b_step = s.b.row;
  for (std::size_t j0 = 0; j0 < s.n; j0 += row_columns) {
    const std::size_t count = std::min(row_columns, s.n - j0);
    real* const out = s.out + j0;
    const real* const b = s.b.data + j0;
    std::fill_n(out, count, real(0));
    for (std::size_t p = 0; p < quarter; ++p)
      add_rows<Arch, row_streams>(s.a.data + p * a_step, quarter * a_step, b + p * b_step,
                                  quarter * b_step, out, count);
    for (std::size_t p = row_streams * quarter; p < s.k; ++p)
      add_rows<Arch, 1>(s.a.data + p * a_step, a_step, b + p * b_step, b_step, out, count);
  }
}

// So many partial sums make a dot product, so that it does not depend on the width of a vector.
inline constexpr std::size_t dot_lanes = 16;

// Of `Columns` columns at once, which share what they read of a. Their results are out_step apart.
template <class Arch, std::size_t Columns>
void dot_columns(const real* a, const real* b, std::size_t b_column, std::size_t count, real* out,
                 std::size_t out_step) {
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
  real lanes[Columns][dot_lanes];
  for (std::size_t c = 0; c < Columns; ++c)
    for (std::size_t v = 0; v < vectors; ++v) sum[c][v].store_unaligned(lanes[c] + v * Batch::size);
  for (const auto& column : lanes) {
    real all = 0;
    for (const real lane : column) all += lane;
    for (std::size_t rest = p; rest < count; ++rest) all += a[rest] * b[rest];
    *out = all;
    b += b_column;
    out += out_step;
  }
}

// Where the columns of b are contiguous, and the row is: dot products, in streams as above.
template <class Tile>
void multiply_row_by_dots(const Product& s) {
  using Arch = typename Tile::Arch;
  const std::size_t step = s.b.column, quarter = s.n / row_streams;
  for (std::size_t j = 0; j < quarter; ++j)
    dot_columns<Arch, row_streams>(s.a.data, s.b.data + j * step, quarter * step, s.k, s.out + j,
                                   quarter);
  for (std::size_t j = row_streams * quarter; j < s.n; ++j)
    dot_columns<Arch, 1>(s.a.data, s.b.data + j * step, step, s.k, s.out + j, 1);
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
          multiply_small<Tile>,
          multiply_row<Tile>,
          multiply_row_by_heads<Tile>,
          multiply_row_by_columns<Tile>,
          multiply_row_by_dots<Tile>,
          Tile::cols,
          multiply_strip<Tile, Tile::template rows<true>, true, true>,
          Tile::template rows<true>,
          cost};
}

}  // namespace attend::kernels
