// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "kernels/byte_lanes.h"
#include "kernels/real.h"
#include "kernels/rounded_rows.h"
#include "kernels/row_streams.h"

// Rows rounded to whole numbers times a matrix of bytes. Of a row the smallest number becomes 0 and the largest 127:
// seven bits, because a machine's fastest product takes no more. Everything here is a template over the lanes, and the
// caller gives the room: a function that is compiled for two machines must not have one name for both.
namespace attend::kernels {

// Rows are filled up with zeros to a whole number of these; so many columns are packed at a time, which stay in the
// second-level cache.
inline constexpr std::size_t byte_depth = 4, byte_block = 64;

struct ByteProduct {
  const std::int8_t* b;  // the first of its numbers
  std::size_t rows, columns;
  bool transposed;                 // a meets the columns of what is stored
  const std::int32_t* of_columns;  // sums of b over what a meets
  const real* a;                   // [m inner]
  std::size_t a_stride;
  std::size_t m;
  real* out;  // [m outer]
  std::size_t out_stride;
  std::size_t inner, outer;  // rows and columns, or the other way around where b is transposed
  // Room for the call.
  std::int16_t* whole;   // rounded rows, [m round_up(inner, byte_depth)]
  RoundedRow* rounded;   // [m]
  bool ready;            // both are those of an earlier product with the same rows
  std::int16_t* packed;  // [byte_block round_up(inner, byte_depth)]
  std::int32_t* sums;    // [outer]
};

// The smallest and the largest number; both NaN where one is not finite.
template <class Lanes>
std::pair<real, real> ends_of(const real* a, std::size_t count) {
  using Batch = xsimd::batch<real>;
  Batch low(INFINITY), high(-INFINITY), nothing(0);
  std::size_t p = 0;
  for (; p + Batch::size <= count; p += Batch::size) {
    const Batch x = Batch::load_unaligned(a + p);
    low = xsimd::min(low, x);
    high = xsimd::max(high, x);
    nothing += x * Batch(0);
  }
  real least = xsimd::reduce_min(low), most = xsimd::reduce_max(high);
  real none = xsimd::reduce_add(nothing);
  for (; p < count; ++p) {
    least = std::min(least, a[p]);
    most = std::max(most, a[p]);
    none += a[p] * real(0);
  }
  if (none == real(0)) return {least, most};
  return {NAN, NAN};
}

// Rounds to the nearest.
template <class Lanes>
RoundedRow round_row(const real* a, std::size_t count, typename Lanes::Row* whole) {
  const auto [least, most] = ends_of<Lanes>(a, count);
  RoundedRow found{most / real(127) - least / real(127), least};
  const real times = real(1) / found.step;
  // Numbers that are equal, too near each other to be told apart, or not finite.
  if (!(found.step > 0) || !std::isfinite(times) || !std::isfinite(found.step)) {
    std::fill_n(whole, count, typename Lanes::Row(0));
    if (found.step > 0) found.step = 0;
    return found;
  }
  for (std::size_t p = 0; p < count; ++p)
    whole[p] = static_cast<typename Lanes::Row>(
        std::min(static_cast<std::int32_t>((a[p] - least) * times + real(.5)), 127));
  return found;
}

inline constexpr std::size_t byte_tile_rows = 4;

// Two vectors of columns, `steps` times `depth` numbers deep, with `Rows` rows: out[Rows][2 columns].
template <class Lanes, std::size_t Rows>
void multiply_byte_tile(const typename Lanes::Row* a, std::size_t a_step,
                        const typename Lanes::Cell* b, std::size_t steps, std::int32_t* out) {
  constexpr std::int32_t nothing[Lanes::columns] = {};
  typename Lanes::Sums sums[Rows][2];
  for (std::size_t i = 0; i < Rows; ++i) sums[i][0] = sums[i][1] = Lanes::load_sums(nothing);
  const auto* const end = b + steps * 2 * Lanes::cells;
  for (; b != end; b += 2 * Lanes::cells, a += Lanes::depth) {
    const typename Lanes::Vector left = Lanes::load(b), right = Lanes::load(b + Lanes::cells);
    for (std::size_t i = 0; i < Rows; ++i) {
      const typename Lanes::Repeated row = Lanes::repeat(a + i * a_step);
      sums[i][0] = Lanes::dot_add(left, row, sums[i][0]);
      sums[i][1] = Lanes::dot_add(right, row, sums[i][1]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i)
    for (std::size_t v = 0; v < 2; ++v)
      Lanes::store_sums(out + (2 * i + v) * Lanes::columns, sums[i][v]);
}

// Called through this table, so that no caller takes one in, which a WebAssembly engine would compile less well.
template <class Lanes>
using ByteTile = void (*)(const typename Lanes::Row*, std::size_t, const typename Lanes::Cell*,
                          std::size_t, std::int32_t*);
template <class Lanes>
inline constexpr ByteTile<Lanes> byte_tiles[byte_tile_rows] = {
    multiply_byte_tile<Lanes, 1>, multiply_byte_tile<Lanes, 2>, multiply_byte_tile<Lanes, 3>,
    multiply_byte_tile<Lanes, 4>};

// `depth` rows of sixteen columns from b on, `stride` apart, into two panels of two vectors of columns, or one of wider
// vectors, which lie `panel` cells apart.
template <class Lanes>
void pack_step(const std::int8_t* b, std::size_t stride, typename Lanes::Cell* out,
               std::size_t panel) {
  constexpr std::size_t together = byte_columns / Lanes::columns;
  const std::int8_t* rows[Lanes::depth];
  for (std::size_t p = 0; p < Lanes::depth; ++p) rows[p] = b + p * stride;
  typename Lanes::Vector packed[together];
  Lanes::interleave(rows, packed);
  for (std::size_t v = 0; v < together; ++v)
    Lanes::store(out + v / 2 * panel + v % 2 * Lanes::cells, packed[v]);
}

// `count` columns of rows that lie `stride` apart, as panels of two vectors of columns; beyond the last column and the
// last row are zeros.
template <class Lanes>
void pack_bytes(const std::int8_t* b, std::size_t stride, std::size_t rows, std::size_t count,
                typename Lanes::Cell* out) {
  constexpr std::size_t depth = Lanes::depth;
  const std::size_t steps = (rows + depth - 1) / depth, panel = 2 * Lanes::cells * steps;
  for (std::size_t j = 0; j < count; j += byte_columns) {
    const std::size_t here = std::min(byte_columns, count - j);
    typename Lanes::Cell* to = out + j / Lanes::columns * Lanes::cells * steps;
    const std::size_t whole = here == byte_columns ? rows / depth : 0;
    for (std::size_t step = 0; step < whole; ++step, to += 2 * Lanes::cells)
      pack_step<Lanes>(b + step * depth * stride + j, stride, to, panel);
    for (std::size_t step = whole; step < steps; ++step, to += 2 * Lanes::cells) {
      std::int8_t aside[depth * byte_columns] = {};
      for (std::size_t p = 0; p < depth && step * depth + p < rows; ++p)
        std::memcpy(aside + p * byte_columns, b + (step * depth + p) * stride + j, here);
      pack_step<Lanes>(aside, byte_columns, to, panel);
    }
  }
}

// The same of columns that are contiguous, [count depth].
template <class Lanes>
void pack_byte_columns(const std::int8_t* b, std::size_t inner, std::size_t count,
                       typename Lanes::Cell* out) {
  constexpr std::size_t depth = Lanes::depth, width = 2 * Lanes::columns;
  const std::size_t steps = (inner + depth - 1) / depth;
  for (std::size_t j = 0; j < count; j += width, out += width * depth * steps)
    for (std::size_t step = 0; step < steps; ++step)
      for (std::size_t c = 0; c < width; ++c)
        for (std::size_t p = 0; p < depth; ++p) {
          const std::size_t at = step * depth + p;
          const bool there = at < inner && j + c < count;
          out[(step * width + c) * depth + p] = there ? b[(j + c) * inner + at] : std::int8_t(0);
        }
}

// So many sums stay in the first-level cache while the rows of b go by.
inline constexpr std::size_t byte_row_columns = 4096;

// Adds four numbers of the row times four rows of bytes to `count` sums. Never inlined, as `add_rows` is not
// (kernels/matmul_row.h).
template <class Lanes>
[[gnu::noinline]] void add_byte_rows(const typename Lanes::Row (&a)[row_streams],
                                     const FourRows& rows, std::int32_t* out, std::size_t count) {
  constexpr std::size_t depth = Lanes::depth, together = byte_columns / Lanes::columns;
  constexpr std::size_t steps = row_streams / depth;
  const FourRows b = rows;  // a store of a vector could change the caller's
  typename Lanes::Repeated row[steps];
  for (std::size_t i = 0; i < steps; ++i) row[i] = Lanes::repeat(a + i * depth);
  std::size_t j = 0;
  for (; j + byte_columns <= count; j += byte_columns) {
    typename Lanes::Sums sums[together];
    for (std::size_t v = 0; v < together; ++v)
      sums[v] = Lanes::load_sums(out + j + v * Lanes::columns);
    for (std::size_t i = 0; i < steps; ++i) {
      const std::int8_t* here[depth];
      for (std::size_t r = 0; r < depth; ++r) here[r] = b[i * depth + r] + j;
      typename Lanes::Vector cells[together];
      Lanes::interleave(here, cells);
      for (std::size_t v = 0; v < together; ++v)
        sums[v] = Lanes::dot_add(cells[v], row[i], sums[v]);
    }
    for (std::size_t v = 0; v < together; ++v)
      Lanes::store_sums(out + j + v * Lanes::columns, sums[v]);
  }
#if defined(__clang__)  // it would make vectors of the few columns that are left, too
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (; j < count; ++j)
    for (std::size_t r = 0; r < row_streams; ++r) out[j] += b[r][j] * a[r];
}

// The same for `head_rows` rows of a matrix of 64 columns. The sums of sixteen columns stay in registers.
template <class Lanes>
[[gnu::noinline]] void add_byte_head(const typename Lanes::Row* a, const std::int8_t* b,
                                     std::int32_t* out) {
  constexpr std::size_t depth = Lanes::depth, together = byte_columns / Lanes::columns;
  for (std::size_t j = 0; j < head_columns; j += byte_columns) {
    typename Lanes::Sums sums[together];
    for (std::size_t v = 0; v < together; ++v)
      sums[v] = Lanes::load_sums(out + j + v * Lanes::columns);
    const std::int8_t* first = b + j;
    for (std::size_t p = 0; p < head_rows; p += depth, first += depth * head_columns) {
      const typename Lanes::Repeated row = Lanes::repeat(a + p);
      const std::int8_t* here[depth];
      for (std::size_t r = 0; r < depth; ++r) here[r] = first + r * head_columns;
      typename Lanes::Vector cells[together];
      Lanes::interleave(here, cells);
      for (std::size_t v = 0; v < together; ++v) sums[v] = Lanes::dot_add(cells[v], row, sums[v]);
    }
    for (std::size_t v = 0; v < together; ++v)
      Lanes::store_sums(out + j + v * Lanes::columns, sums[v]);
  }
}

// One row times `count` columns from b on, whose rows lie `stride` apart: a row of each quarter at a time, so that the
// memory gives them in four streams (kernels/row_streams.h).
template <class Lanes>
void multiply_byte_row(const std::int8_t* b, std::size_t stride, std::size_t rows,
                       std::size_t count, const typename Lanes::Row* a, std::int32_t* out) {
  std::fill_n(out, count, 0);
  std::size_t p = 0;
  for (; stride == head_columns && p + head_rows <= rows; p += head_rows)
    add_byte_head<Lanes>(a + p, b + p * head_columns, out);
  const std::size_t quarter = (rows - p) / row_streams;
  for (const std::size_t end = p + quarter; p < end; ++p) {
    const std::size_t at[row_streams] = {p, p + quarter, p + 2 * quarter, p + 3 * quarter};
    add_byte_rows<Lanes>(
        {a[at[0]], a[at[1]], a[at[2]], a[at[3]]},
        {b + at[0] * stride, b + at[1] * stride, b + at[2] * stride, b + at[3] * stride}, out,
        count);
  }
  for (p += 3 * quarter; p < rows; ++p)
    for (std::size_t j = 0; j < count; ++j) out[j] += b[p * stride + j] * a[p];
}

template <class Lanes>
std::int32_t byte_dot(const std::int8_t* b, const typename Lanes::Row* a, std::size_t count) {
  std::int32_t lanes[Lanes::columns] = {};
  typename Lanes::Sums sums = Lanes::load_sums(lanes);
  std::size_t p = 0;
  for (; p + byte_columns <= count; p += byte_columns) sums = Lanes::dot_along(b + p, a + p, sums);
  Lanes::store_sums(lanes, sums);
  std::int32_t all = 0;
  for (const std::int32_t lane : lanes) all += lane;
  for (; p < count; ++p) all += b[p] * a[p];
  return all;
}

// Sums as numbers: step * sum + least * what the column sums up to.
template <class Lanes>
void give_numbers(const RoundedRow& row, const std::int32_t* sums, const std::int32_t* of_columns,
                  std::size_t count, real* out) {
  for (std::size_t j = 0; j < count; ++j)
    out[j] = row.step * static_cast<real>(sums[j]) + row.least * static_cast<real>(of_columns[j]);
}

template <class Lanes>
void multiply_byte_rows(const ByteProduct& s, const typename Lanes::Row* a, std::size_t a_step) {
  constexpr std::size_t width = 2 * Lanes::columns;
  const std::size_t steps = a_step / Lanes::depth;
  auto* const packed = reinterpret_cast<typename Lanes::Cell*>(s.packed);
  std::int32_t sums[byte_tile_rows * width];
  for (std::size_t j0 = 0; j0 < s.outer; j0 += byte_block) {
    const std::size_t count = std::min(byte_block, s.outer - j0);
    if (s.transposed)
      pack_byte_columns<Lanes>(s.b + j0 * s.inner, s.inner, count, packed);
    else
      pack_bytes<Lanes>(s.b + j0, s.columns, s.inner, count, packed);
    for (std::size_t j = 0; j < count; j += width) {
      const std::size_t here = std::min(width, count - j);
      for (std::size_t i = 0; i < s.m; i += byte_tile_rows) {
        const std::size_t below = std::min(byte_tile_rows, s.m - i);
        byte_tiles<Lanes>[below - 1](a + i * a_step, a_step, packed + j * a_step, steps, sums);
        for (std::size_t r = 0; r < below; ++r)
          give_numbers<Lanes>(s.rounded[i + r], sums + r * width, s.of_columns + j0 + j, here,
                              s.out + (i + r) * s.out_stride + j0 + j);
      }
    }
  }
}

template <class Lanes>
void multiply_bytes(const ByteProduct& s) {
  using Row = typename Lanes::Row;
  static_assert(byte_depth % Lanes::depth == 0 && sizeof(Row) <= sizeof(std::int16_t) &&
                sizeof(typename Lanes::Cell) <= sizeof(std::int16_t));
  const std::size_t a_step = (s.inner + Lanes::depth - 1) / Lanes::depth * Lanes::depth;
  auto* const whole = reinterpret_cast<Row*>(s.whole);
  for (std::size_t i = 0; !s.ready && i < s.m; ++i) {
    Row* const row = whole + i * a_step;
    s.rounded[i] = round_row<Lanes>(s.a + i * s.a_stride, s.inner, row);
    std::fill(row + s.inner, row + a_step, Row(0));
  }
  if (s.m != 1) return multiply_byte_rows<Lanes>(s, whole, a_step);
  for (std::size_t j = 0; s.transposed && j < s.outer; ++j)
    s.sums[j] = byte_dot<Lanes>(s.b + j * s.inner, whole, s.inner);
  for (std::size_t j = 0; !s.transposed && j < s.outer; j += byte_row_columns)
    multiply_byte_row<Lanes>(s.b + j, s.columns, s.rows, std::min(byte_row_columns, s.outer - j),
                             whole, s.sums + j);
  give_numbers<Lanes>(s.rounded[0], s.sums, s.of_columns, s.outer, s.out);
}

}  // namespace attend::kernels
