// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/byte_rows.h"

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

// Writes both halves of the row into the room, which has 2 * (count + 1) places. Returns false, and writes nothing, if
// a number is not finite, or if all are so small that the step would not be a normal float.
template <class Lanes>
bool fix_row(const float* a, std::size_t count, std::int16_t* room, FixedRow& row) {
  const auto [least, most] = ends_of<Lanes>(a, count);
  const float size = std::max(-static_cast<float>(least), static_cast<float>(most));
  constexpr float smallest = 0x1p-90F;
  if (!(size >= smallest && size <= 0x1.fffffep127F)) return false;
  int exponent = 0;
  static_cast<void>(std::frexp(size, &exponent));
  const float times = std::ldexp(1.0F, fixed_bits - exponent);
  const std::size_t even = count + count % 2;
  std::int16_t *const high = room, *const low = room + even;
  for (std::size_t p = 0; p < count; ++p) {
    const auto whole = static_cast<std::int32_t>(a[p] * times);
    high[p] = static_cast<std::int16_t>(whole >> low_bits);
    low[p] = static_cast<std::int16_t>(whole & ((1 << low_bits) - 1));
  }
  if (even != count) high[count] = low[count] = 0;
  row = {high, low, 1 / times};
  return true;
}

// Adds the products of the row's numbers from p on with as many rows of bytes to both sums. Two pairs of rows spare
// half of the loads of the sums; three and four pairs took as long as two when they were measured.
template <class Lanes, std::size_t Pairs>
void add_fixed_rows(const FixedRow& a, std::size_t p, const std::int8_t* const (&rows)[2 * Pairs],
                    std::int32_t* high, std::int32_t* low, std::size_t count) {
  constexpr std::size_t vectors = byte_columns / Lanes::columns;
  typename Lanes::Repeated upper[Pairs], lower[Pairs];
  for (std::size_t i = 0; i < Pairs; ++i) {
    upper[i] = Lanes::repeat(a.high + p + 2 * i);
    lower[i] = Lanes::repeat(a.low + p + 2 * i);
  }
  std::size_t j = 0;
  for (; j + byte_columns <= count; j += byte_columns) {
    typename Lanes::Vector cells[Pairs][vectors];
    for (std::size_t i = 0; i < Pairs; ++i)
      Lanes::interleave({rows[2 * i] + j, rows[2 * i + 1] + j}, cells[i]);
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = j + v * Lanes::columns;
      typename Lanes::Sums above = Lanes::load_sums(high + at), below = Lanes::load_sums(low + at);
      for (std::size_t i = 0; i < Pairs; ++i) {
        above = Lanes::dot_add(cells[i][v], upper[i], above);
        below = Lanes::dot_add(cells[i][v], lower[i], below);
      }
      Lanes::store_sums(high + at, above);
      Lanes::store_sums(low + at, below);
    }
  }
  for (; j < count; ++j)
    for (std::size_t i = 0; i < 2 * Pairs; ++i) {
      high[j] += std::int32_t{a.high[p + i]} * rows[i][j];
      low[j] += std::int32_t{a.low[p + i]} * rows[i][j];
    }
}

// So many columns at a time: their sums stay in the first-level cache while the rows go by.
inline constexpr std::size_t fixed_columns = 4096;

template <class Lanes>
void multiply_fixed_columns(const FixedRow& a, const std::int8_t* b, std::size_t rows,
                            std::size_t columns, std::int32_t* sums, float* out) {
  static constexpr std::array<std::int8_t, fixed_columns> nothing{};
  for (std::size_t j0 = 0; j0 < columns; j0 += fixed_columns) {
    const std::size_t count = std::min(fixed_columns, columns - j0);
    std::int32_t *const high = sums, *const low = sums + count;
    std::fill_n(out + j0, count, 0.0F);
    for (std::size_t begin = 0; begin < rows; begin += fixed_together) {
      const std::size_t end = std::min(begin + fixed_together, rows);
      std::fill_n(sums, 2 * count, 0);
      const auto row = [&](std::size_t p) {
        return p < end ? b + p * columns + j0 : nothing.data();
      };
      std::size_t p = begin;
      for (; p + 4 <= end; p += 4)
        add_fixed_rows<Lanes, 2>(a, p, {row(p), row(p + 1), row(p + 2), row(p + 3)}, high, low,
                                 count);
      for (; p < end; p += 2)
        add_fixed_rows<Lanes, 1>(a, p, {row(p), row(p + 1)}, high, low, count);
      for (std::size_t j = 0; j < count; ++j)
        out[j0 + j] += static_cast<float>(high[j]) * (1 << low_bits) + static_cast<float>(low[j]);
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

template <class Lanes>
float fixed_dot(const FixedRow& a, const std::int8_t* b, std::size_t count) {
  constexpr std::int32_t nothing[Lanes::columns] = {};
  // Four lanes at least have a quarter of the products each.
  constexpr std::size_t block = 4 * fixed_together;
  std::int64_t high = 0, low = 0;
  std::size_t p = 0;
  while (p + byte_columns <= count) {
    const std::size_t end = std::min(p + block, count);
    typename Lanes::Sums upper = Lanes::load_sums(nothing), lower = upper;
    for (; p + byte_columns <= end; p += byte_columns) {
      upper = Lanes::dot_along(b + p, a.high + p, upper);
      lower = Lanes::dot_along(b + p, a.low + p, lower);
    }
    high += sum_of<Lanes>(upper);
    low += sum_of<Lanes>(lower);
  }
  for (; p < count; ++p) {
    high += std::int32_t{a.high[p]} * b[p];
    low += std::int32_t{a.low[p]} * b[p];
  }
  return static_cast<float>(high * (1 << low_bits) + low) * a.step;
}

}  // namespace attend::kernels
