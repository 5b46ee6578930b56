// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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

// Writes both halves of the row into the room, which has 2 * (count + 1) places: a number of each quarter in turns, as
// the streams bring their rows, and then what is left. Returns false, and writes nothing, if a number is not finite, or
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
  const std::size_t even = count + count % 2;
  std::int16_t *const high = room, *const low = room + even;
  const auto fix = [&](std::size_t p, std::size_t place) {
    const auto whole = static_cast<std::int32_t>(a[p] * times);
    high[place] = static_cast<std::int16_t>(whole >> low_bits);
    low[place] = static_cast<std::int16_t>(whole & ((1 << low_bits) - 1));
  };
  for (std::size_t p = 0; p < quarter; ++p)
    for (std::size_t r = 0; r < row_streams; ++r) fix(r * quarter + p, row_streams * p + r);
  for (std::size_t p = row_streams * quarter; p < count; ++p) fix(p, p);
  if (even != count) high[count] = low[count] = 0;
  row = {high, low, 1 / times};
  return true;
}

// Where pairs of rows of bytes begin, and how far a pair is from the next.
struct BytePairs {
  const std::int8_t *first, *second;
  std::size_t step;
};

// The numbers of a row that meet pairs: read at every tile, or held in registers, if they are few.
template <class Lanes>
struct ReadFactors {
  const std::int16_t *high, *low;
  [[nodiscard]] auto above(std::size_t i) const { return Lanes::repeat(high + 2 * i); }
  [[nodiscard]] auto below(std::size_t i) const { return Lanes::repeat(low + 2 * i); }
};
template <class Lanes, std::size_t Pairs>
struct HeldFactors {
  explicit HeldFactors(const ReadFactors<Lanes>& from) {
    for (std::size_t i = 0; i < Pairs; ++i) high[i] = from.above(i), low[i] = from.below(i);
  }
  [[nodiscard]] auto above(std::size_t i) const { return high[i]; }
  [[nodiscard]] auto below(std::size_t i) const { return low[i]; }
  typename Lanes::Repeated high[Pairs], low[Pairs];
};
inline constexpr std::size_t most_held = 2;

// Adds the products of such numbers with sixteen columns of `Pairs` pairs to both sums, which stay in registers while
// the rows go by.
template <class Lanes, std::size_t Pairs, class Factors>
void add_fixed_tile(const Factors& factors, BytePairs b, std::int32_t* high, std::int32_t* low) {
  constexpr std::size_t vectors = byte_columns / Lanes::columns;
  typename Lanes::Sums above[vectors], below[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    above[v] = Lanes::load_sums(high + v * Lanes::columns);
    below[v] = Lanes::load_sums(low + v * Lanes::columns);
  }
  for (std::size_t i = 0; i < Pairs; ++i) {
    typename Lanes::Vector cells[vectors];
    Lanes::interleave({b.first, b.second}, cells);
    for (std::size_t v = 0; v < vectors; ++v) {
      above[v] = Lanes::dot_add(cells[v], factors.above(i), above[v]);
      below[v] = Lanes::dot_add(cells[v], factors.below(i), below[v]);
    }
    b.first += b.step;
    b.second += b.step;
  }
  for (std::size_t v = 0; v < vectors; ++v) {
    Lanes::store_sums(high + v * Lanes::columns, above[v]);
    Lanes::store_sums(low + v * Lanes::columns, below[v]);
  }
}

// Adds the products of the row's numbers from place p on with `count` columns of `Pairs` pairs to both sums.
template <class Lanes, std::size_t Pairs>
void add_fixed_rows(const FixedRow& a, std::size_t p, const BytePairs& b, std::int32_t* high,
                    std::int32_t* low, std::size_t count) {
  using Read = ReadFactors<Lanes>;
  using Factors = std::conditional_t<(Pairs <= most_held), HeldFactors<Lanes, Pairs>, Read>;
  const Factors factors(Read{a.high + p, a.low + p});
  std::size_t j = 0;
  for (; j + byte_columns <= count; j += byte_columns)
    add_fixed_tile<Lanes, Pairs>(factors, {b.first + j, b.second + j, b.step}, high + j, low + j);
#if defined(__clang__)  // it would make vectors of the few columns that are left, too
#pragma clang loop vectorize(disable) unroll(disable)
#endif
  for (; j < count; ++j)
    for (std::size_t i = 0; i < Pairs; ++i) {
      const std::int16_t *const upper = a.high + p + 2 * i, *const lower = a.low + p + 2 * i;
      const std::int32_t x = b.first[i * b.step + j], y = b.second[i * b.step + j];
      high[j] += upper[0] * x + upper[1] * y;
      low[j] += lower[0] * x + lower[1] * y;
    }
}

// So many columns at a time: their sums stay in the first-level cache while the rows go by.
inline constexpr std::size_t fixed_columns = 4096;

// So many pairs of rows that follow each other are read together: two kilobytes where they are 64 columns wide.
inline constexpr std::size_t pairs_together = 16;

template <class Lanes>
void multiply_fixed_columns(const FixedRow& a, std::size_t quarter, const std::int8_t* b,
                            std::size_t rows, std::size_t columns, std::int32_t* sums, float* out) {
  static constexpr std::array<std::int8_t, fixed_columns> nothing{};
  constexpr std::size_t rows_together = 2 * pairs_together;
  static_assert(fixed_together % rows_together == 0 && row_streams == 4);
  for (std::size_t j0 = 0; j0 < columns; j0 += fixed_columns) {
    const std::size_t count = std::min(fixed_columns, columns - j0);
    std::int32_t *const high = sums, *const low = sums + count;
    const auto row = [&](std::size_t at) { return b + at * columns + j0; };
    std::fill_n(out + j0, count, 0.0F);
    for (std::size_t p = 0; p < rows;) {
      const std::size_t end = std::min(p + fixed_together, rows);
      std::fill_n(sums, 2 * count, 0);
      for (; p < std::min(end, row_streams * quarter); p += row_streams) {
        const std::size_t at = p / row_streams;
        const BytePairs pairs{row(at), row(at + quarter), 2 * quarter * columns};
        add_fixed_rows<Lanes, 2>(a, p, pairs, high, low, count);
      }
      for (; p + rows_together <= end; p += rows_together)
        add_fixed_rows<Lanes, pairs_together>(a, p, {row(p), row(p + 1), 2 * columns}, high, low,
                                              count);
      for (; p < end; p += 2)
        add_fixed_rows<Lanes, 1>(a, p, {row(p), p + 1 < rows ? row(p + 1) : nothing.data(), 0},
                                 high, low, count);
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
