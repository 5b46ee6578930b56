// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/byte_rows.h"
#include "kernels/row_streams.h"

// One row of floats times a matrix of bytes by products of whole numbers, which take less time than bytes that become
// floats. The row is written with one step for all its numbers: step * (32768 * high + low), 30 bits with the sign. The
// step is a power of two, so that numbers down to a 32nd of the largest keep all their bits, and no number is off by
// more than the step, which is at most 2^-28 of the largest. Sums of products are exact until they become floats.
// Everything here is a template over the lanes: a function that is compiled for two machines must not have one name.
namespace attend::kernels {

struct FixedRow {
  const std::int16_t *high, *low;
  float step;
};

inline constexpr int fixed_bits = 29, low_bits = 15;

// Sums of so many products of a half of a row's numbers and a byte fit in 32 bits.
inline constexpr std::size_t fixed_together = 512;

// How many rows of bytes each stream has. 0: the rows of a narrow matrix are read one after another.
constexpr std::size_t fixed_quarter(std::size_t rows, std::size_t columns) {
  return columns <= head_columns ? 0 : rows / row_streams;
}

// So many numbers each half of a row has: zeros make up the last four.
constexpr std::size_t fixed_numbers(std::size_t count) {
  return (count + row_streams - 1) / row_streams * row_streams;
}

// Writes both halves of the row into the room, one after the other: a number of each quarter in turns, as the streams
// bring their rows, and then what is left. Returns false, and writes nothing, if a number is not finite, or
// if all are so small that the step would not be a normal float.
template <class Lanes>
bool fix_row(const float* a, std::size_t count, std::size_t quarter, std::int16_t* room,
             FixedRow& row) {
  const auto [least, most] = ends_of<Lanes>(a, count);
  const float size = std::max(-static_cast<float>(least), static_cast<float>(most));
  constexpr float smallest = 0x1p-90F;
  if (!(size >= smallest && size <= 0x1.fffffep127F)) return false;
  int exponent = 0;
  static_cast<void>(std::frexp(size, &exponent));
  const float times = std::ldexp(1.0F, fixed_bits - exponent);
  const std::size_t all = fixed_numbers(count);
  std::int16_t *const high = room, *const low = room + all;
  const auto fix = [&](std::size_t p, std::size_t place) {
    const auto whole = static_cast<std::int32_t>(a[p] * times);
    high[place] = static_cast<std::int16_t>(whole >> low_bits);
    low[place] = static_cast<std::int16_t>(whole & ((1 << low_bits) - 1));
  };
  for (std::size_t p = 0; p < quarter; ++p)
    for (std::size_t r = 0; r < row_streams; ++r) fix(r * quarter + p, row_streams * p + r);
  std::size_t p = row_streams * quarter;
  for (; p < count; ++p) fix(p, p);
  for (; p < all; ++p) high[p] = low[p] = 0;
  row = {high, low, 1 / times};
  return true;
}

// The sums of so many columns lie side by side: those of the upper halves of the row's numbers, then of the lower ones.
// An address of a sum then needs one register, and a machine has few.
inline constexpr std::size_t fixed_block = 8;

// How many sums so many columns have.
constexpr std::size_t fixed_sums(std::size_t columns) {
  return (columns + fixed_block - 1) / fixed_block * 2 * fixed_block;
}

// So many blocks of columns follow each other without a jump.
inline constexpr std::size_t blocks_together = 4;

// Adds the products of four numbers with one block of columns to its sums.
template <class Lanes>
void add_fixed_block(const typename Lanes::Repeated (&high)[2],
                     const typename Lanes::Repeated (&low)[2], const FourRows& b, std::size_t j,
                     std::int32_t* sums) {
  constexpr std::size_t vectors = fixed_block / Lanes::columns;
  typename Lanes::Sums above[vectors], below[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    above[v] = Lanes::load_sums(sums + v * Lanes::columns);
    below[v] = Lanes::load_sums(sums + fixed_block + v * Lanes::columns);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    typename Lanes::Vector cells[vectors];
    Lanes::pair(b[2 * i] + j, b[2 * i + 1] + j, cells);
    for (std::size_t v = 0; v < vectors; ++v) {
      above[v] = Lanes::dot_add(cells[v], high[i], above[v]);
      below[v] = Lanes::dot_add(cells[v], low[i], below[v]);
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) {
    Lanes::store_sums(sums + v * Lanes::columns, above[v]);
    Lanes::store_sums(sums + fixed_block + v * Lanes::columns, below[v]);
  }
}

// Adds the products of the row's four numbers from place p on with `count` columns of four rows to their sums. Never
// inlined, as `add_rows` is not.
template <class Lanes>
[[gnu::noinline]] void add_fixed_rows(const FixedRow& a, std::size_t p, const FourRows& rows,
                                      std::int32_t* sums, std::size_t count) {
  const FourRows b = rows;  // a store of a vector could change the caller's
  const typename Lanes::Repeated high[2] = {Lanes::repeat(a.high + p),
                                            Lanes::repeat(a.high + p + 2)};
  const typename Lanes::Repeated low[2] = {Lanes::repeat(a.low + p), Lanes::repeat(a.low + p + 2)};
  std::size_t j = 0;
  for (; j + blocks_together * fixed_block <= count; j += blocks_together * fixed_block) {
#if defined(__clang__)
#pragma clang loop unroll(full)
#endif
    for (std::size_t block = 0; block < blocks_together; ++block)
      add_fixed_block<Lanes>(high, low, b, j + block * fixed_block,
                             sums + 2 * (j + block * fixed_block));
  }
  for (; j + fixed_block <= count; j += fixed_block)
    add_fixed_block<Lanes>(high, low, b, j, sums + 2 * j);
#if defined(__clang__)  // it would make vectors of the few columns that are left, too
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (std::int32_t* sum = sums + 2 * j; j < count; ++j, ++sum)
    for (std::size_t r = 0; r < row_streams; ++r) {
      sum[0] += a.high[p + r] * b[r][j];
      sum[fixed_block] += a.low[p + r] * b[r][j];
    }
}

// The same for `head_rows` rows of a matrix of 64 columns. The sums of sixteen columns stay in registers.
template <class Lanes>
[[gnu::noinline]] void add_fixed_head(const FixedRow& a, std::size_t p, const std::int8_t* b,
                                      std::int32_t* sums) {
  constexpr std::size_t vectors = byte_columns / Lanes::columns, half = vectors / 2;
  for (std::size_t j = 0; j < head_columns; j += byte_columns) {
    std::int32_t* const first = sums + 2 * j;
    typename Lanes::Sums above[vectors], below[vectors];
    const auto place = [&](std::size_t v) {
      return first + v / half * 2 * fixed_block + v % half * Lanes::columns;
    };
    for (std::size_t v = 0; v < vectors; ++v) {
      above[v] = Lanes::load_sums(place(v));
      below[v] = Lanes::load_sums(place(v) + fixed_block);
    }
    const std::int8_t* row = b + j;
    for (std::size_t i = 0; i < head_rows; i += 2, row += 2 * head_columns) {
      const auto high = Lanes::repeat(a.high + p + i), low = Lanes::repeat(a.low + p + i);
      typename Lanes::Vector cells[vectors];
      Lanes::interleave({row, row + head_columns}, cells);
      for (std::size_t v = 0; v < vectors; ++v) {
        above[v] = Lanes::dot_add(cells[v], high, above[v]);
        below[v] = Lanes::dot_add(cells[v], low, below[v]);
      }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
      Lanes::store_sums(place(v), above[v]);
      Lanes::store_sums(place(v) + fixed_block, below[v]);
    }
  }
}

// So many columns at a time: their sums stay in the first-level cache while the rows go by.
inline constexpr std::size_t fixed_columns = 4096;

template <class Lanes>
void multiply_fixed_columns(const FixedRow& a, std::size_t quarter, const std::int8_t* b,
                            std::size_t rows, std::size_t columns, std::int32_t* sums, float* out) {
  static constexpr std::array<std::int8_t, fixed_columns> nothing{};
  static_assert(fixed_together % row_streams == 0 && row_streams == 4);
  for (std::size_t j0 = 0; j0 < columns; j0 += fixed_columns) {
    const std::size_t count = std::min(fixed_columns, columns - j0);
    const auto row = [&](std::size_t at) {
      return at < rows ? b + at * columns + j0 : nothing.data();
    };
    std::fill_n(out + j0, count, 0.0F);
    for (std::size_t p = 0; p < rows;) {
      const std::size_t end = std::min(p + fixed_together, rows);
      std::fill_n(sums, fixed_sums(count), 0);
      for (; columns == head_columns && p + head_rows <= end; p += head_rows)
        add_fixed_head<Lanes>(a, p, b + p * head_columns, sums);
      for (; p < end; p += row_streams) {
        const bool streamed = p < row_streams * quarter;
        const std::size_t at = streamed ? p / row_streams : p, step = streamed ? quarter : 1;
        add_fixed_rows<Lanes>(
            a, p, {row(at), row(at + step), row(at + 2 * step), row(at + 3 * step)}, sums, count);
      }
      for (std::size_t j = 0; j < count; ++j) {
        const std::int32_t* const sum = sums + 2 * (j - j % fixed_block) + j % fixed_block;
        out[j0 + j] +=
            static_cast<float>(sum[0]) * (1 << low_bits) + static_cast<float>(sum[fixed_block]);
      }
    }
    for (std::size_t j = 0; j < count; ++j) out[j0 + j] *= a.step;
  }
}

// The sums of all lanes.
template <class Lanes>
std::int64_t sum_of(const typename Lanes::Sums& sums) {
  std::array<std::int32_t, Lanes::columns> lanes;
  Lanes::store_sums(lanes.data(), sums);
  std::int64_t all = 0;
  for (const std::int32_t lane : lanes) all += lane;
  return all;
}

// The products of the row with `Rows` rows of bytes, which are b_step apart; their results are out_step apart.
template <class Lanes, std::size_t Rows>
void fixed_dots(const FixedRow& a, const std::int8_t* b, std::size_t b_step, std::size_t count,
                float* out, std::size_t out_step) {
  constexpr std::int32_t nothing[Lanes::columns] = {};
  // Four lanes at least have a quarter of the products each.
  constexpr std::size_t block = 4 * fixed_together;
  std::int64_t high[Rows] = {}, low[Rows] = {};
  std::size_t p = 0;
  while (p + byte_columns <= count) {
    const std::size_t end = std::min(p + block, count);
    typename Lanes::Sums upper[Rows], lower[Rows];
    for (std::size_t r = 0; r < Rows; ++r) upper[r] = lower[r] = Lanes::load_sums(nothing);
    for (; p + byte_columns <= end; p += byte_columns)
      for (std::size_t r = 0; r < Rows; ++r) {
        upper[r] = Lanes::dot_along(b + r * b_step + p, a.high + p, upper[r]);
        lower[r] = Lanes::dot_along(b + r * b_step + p, a.low + p, lower[r]);
      }
    for (std::size_t r = 0; r < Rows; ++r) {
      high[r] += sum_of<Lanes>(upper[r]);
      low[r] += sum_of<Lanes>(lower[r]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t rest = p; rest < count; ++rest) {
      high[r] += std::int32_t{a.high[rest]} * b[r * b_step + rest];
      low[r] += std::int32_t{a.low[rest]} * b[r * b_step + rest];
    }
    out[r * out_step] = static_cast<float>(high[r] * (1 << low_bits) + low[r]) * a.step;
  }
}

// Where the row meets the columns of the bytes: four rows of them at a time, each from its own quarter.
template <class Lanes>
void multiply_fixed_rows(const FixedRow& a, const std::int8_t* b, std::size_t rows,
                         std::size_t columns, float* out) {
  const std::size_t quarter = rows / row_streams;
  for (std::size_t i = 0; i < quarter; ++i)
    fixed_dots<Lanes, row_streams>(a, b + i * columns, quarter * columns, columns, out + i,
                                   quarter);
  for (std::size_t i = row_streams * quarter; i < rows; ++i)
    fixed_dots<Lanes, 1>(a, b + i * columns, columns, columns, out + i, 1);
}

}  // namespace attend::kernels
