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

// Where `pairs` pairs of rows of bytes begin, and how far a pair is from the next.
struct BytePairs {
  const std::int8_t *first, *second;
  std::size_t step, pairs;
};

// Adds the products of the row's numbers from p on with sixteen columns of these pairs to both sums, which stay in
// registers while the rows go by.
template <class Lanes>
void add_fixed_tile(const FixedRow& a, std::size_t p, BytePairs b, std::int32_t* high,
                    std::int32_t* low) {
  constexpr std::size_t vectors = byte_columns / Lanes::columns;
  typename Lanes::Sums above[vectors], below[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    above[v] = Lanes::load_sums(high + v * Lanes::columns);
    below[v] = Lanes::load_sums(low + v * Lanes::columns);
  }
  const std::int16_t *upper = a.high + p, *lower = a.low + p;
  for (const std::int16_t* const end = upper + 2 * b.pairs; upper != end; upper += 2, lower += 2) {
    typename Lanes::Vector cells[vectors];
    Lanes::interleave({b.first, b.second}, cells);
    const typename Lanes::Repeated repeated_upper = Lanes::repeat(upper);
    const typename Lanes::Repeated repeated_lower = Lanes::repeat(lower);
    for (std::size_t v = 0; v < vectors; ++v) {
      above[v] = Lanes::dot_add(cells[v], repeated_upper, above[v]);
      below[v] = Lanes::dot_add(cells[v], repeated_lower, below[v]);
    }
    b.first += b.step;
    b.second += b.step;
  }
  for (std::size_t v = 0; v < vectors; ++v) {
    Lanes::store_sums(high + v * Lanes::columns, above[v]);
    Lanes::store_sums(low + v * Lanes::columns, below[v]);
  }
}

// The same for `count` columns.
template <class Lanes>
void add_fixed_rows(const FixedRow& a, std::size_t p, const BytePairs& b, std::int32_t* high,
                    std::int32_t* low, std::size_t count) {
  std::size_t j = 0;
  for (; j + byte_columns <= count; j += byte_columns)
    add_fixed_tile<Lanes>(a, p, {b.first + j, b.second + j, b.step, b.pairs}, high + j, low + j);
  for (; j < count; ++j)
    for (std::size_t i = 0; i < b.pairs; ++i) {
      const std::int16_t *const upper = a.high + p + 2 * i, *const lower = a.low + p + 2 * i;
      const std::int32_t x = b.first[i * b.step + j], y = b.second[i * b.step + j];
      high[j] += upper[0] * x + upper[1] * y;
      low[j] += lower[0] * x + lower[1] * y;
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
      const std::size_t here = end - begin, pairs = here / 2;
      const std::int8_t* const from = b + begin * columns + j0;
      add_fixed_rows<Lanes>(a, begin, {from, from + columns, 2 * columns, pairs}, high, low, count);
      if (here % 2 == 1)
        add_fixed_rows<Lanes>(a, begin + 2 * pairs,
                              {from + (here - 1) * columns, nothing.data(), 0, 1}, high, low,
                              count);
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
