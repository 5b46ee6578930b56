// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/byte_rows.h"
#include "kernels/fixed_row.h"
#include "kernels/matmul_tile.h"
#include "kernels/row_streams.h"
#include "kernels/widen.h"

namespace attend::kernels {

// One row times a stored matrix, without its scale.
struct StoredRow {
  const std::byte* b;  // the first of its numbers
  const float* a;      // contiguous
  float* out;
  std::size_t rows, columns;  // of what is stored
  bool transposed;            // a meets the columns of what is stored
  // Room for the call, where what is stored are bytes: for both halves of `fixed_numbers`, and for the `fixed_sums` of
  // `fixed_columns`.
  std::int16_t* whole;
  std::int32_t* sums;
};

// So many sums stay in the first-level cache while the rows of b go by.
inline constexpr std::size_t stored_row_columns = 4096;

// Adds `Rows` numbers, which are a_step apart, each times its row, to the sums, in this order. The rows are b_step
// apart.
template <class Arch, std::size_t Rows, class Number>
void add_stored_rows(const float* a, std::size_t a_step, const Number* b, std::size_t b_step,
                     float* out, std::size_t count) {
  using Batch = xsimd::batch<float, Arch>;
  constexpr std::size_t vectors = widened / Batch::size;
  Batch factor[Rows];
  for (std::size_t r = 0; r < Rows; ++r) factor[r] = Batch::broadcast(a[r * a_step]);
  std::size_t j = 0;
  for (; j + widened <= count; j += widened) {
    Batch sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v)
      sum[v] = Batch::load_unaligned(out + j + v * Batch::size);
    for (std::size_t r = 0; r < Rows; ++r) {
      Batch row[vectors];
      widen<Arch>(b + r * b_step + j, row);
      for (std::size_t v = 0; v < vectors; ++v)
        sum[v] = multiply_add<Arch>(factor[r], row[v], sum[v]);
    }
    for (std::size_t v = 0; v < vectors; ++v) sum[v].store_unaligned(out + j + v * Batch::size);
  }
  for (; j < count; ++j)
    for (std::size_t r = 0; r < Rows; ++r)
      out[j] += a[r * a_step] * number_of(number_at(b + r * b_step + j));
}

// In the order of `multiply_row` of floats.
template <class Arch, class Number>
void multiply_stored_columns(const StoredRow& s) {
  const auto* const first = reinterpret_cast<const Number*>(s.b);
  const std::size_t quarter = rows_of_stream(s.rows, s.columns);
  for (std::size_t j0 = 0; j0 < s.columns; j0 += stored_row_columns) {
    const std::size_t count = std::min(stored_row_columns, s.columns - j0);
    std::fill_n(s.out + j0, count, 0.0F);
    for (std::size_t p = 0; p < quarter; ++p)
      add_stored_rows<Arch, row_streams>(s.a + p, quarter, first + p * s.columns + j0,
                                         quarter * s.columns, s.out + j0, count);
    for (std::size_t p = row_streams * quarter; p < s.rows; ++p)
      add_stored_rows<Arch, 1>(s.a + p, 1, first + p * s.columns + j0, s.columns, s.out + j0,
                               count);
  }
}

// Each sum is made of as many as are widened together, so that it does not depend on the vector width.
template <class Arch, class Number>
float stored_dot(const float* a, const Number* b, std::size_t count) {
  using Batch = xsimd::batch<float, Arch>;
  constexpr std::size_t vectors = widened / Batch::size;
  Batch sum[vectors];
  for (Batch& one : sum) one = Batch(0);
  std::size_t p = 0;
  for (; p + widened <= count; p += widened) {
    Batch row[vectors];
    widen<Arch>(b + p, row);
    for (std::size_t v = 0; v < vectors; ++v)
      sum[v] = multiply_add<Arch>(Batch::load_unaligned(a + p + v * Batch::size), row[v], sum[v]);
  }
  std::array<float, widened> lanes;
  for (std::size_t v = 0; v < vectors; ++v) sum[v].store_unaligned(lanes.data() + v * Batch::size);
  float all = 0;
  for (const float lane : lanes) all += lane;
  for (; p < count; ++p) all += a[p] * number_of(number_at(b + p));
  return all;
}

template <class Arch, class Number>
void multiply_stored(const StoredRow& s) {
  if (!s.transposed) return multiply_stored_columns<Arch, Number>(s);
  const auto* b = reinterpret_cast<const Number*>(s.b);
  for (std::size_t i = 0; i < s.rows; ++i, b += s.columns)
    s.out[i] = stored_dot<Arch>(s.a, b, s.columns);
}

// Bytes, by products of whole numbers where the machine has them and the row can be written so.
template <class Arch>
void multiply_stored_bytes(const StoredRow& s) {
  using Lanes = WholeLanes<Arch>;
  if constexpr (!std::is_void_v<Lanes>) {
    FixedRow a;
    const std::size_t quarter = s.transposed ? 0 : fixed_quarter(s.rows, s.columns);
    if (fix_row<Lanes>(s.a, s.transposed ? s.columns : s.rows, quarter, s.whole, a)) {
      const auto* b = reinterpret_cast<const std::int8_t*>(s.b);
      if (!s.transposed)
        return multiply_fixed_columns<Lanes>(a, quarter, b, s.rows, s.columns, s.sums, s.out);
      return multiply_fixed_rows<Lanes>(a, b, s.rows, s.columns, s.out);
    }
  }
  multiply_stored<Arch, std::int8_t>(s);
}

template <class Arch, class Number>
void unpack_numbers(const std::byte* from, std::size_t count, float* out) {
  using Batch = xsimd::batch<float, Arch>;
  constexpr std::size_t vectors = widened / Batch::size;
  const auto* const x = reinterpret_cast<const Number*>(from);
  std::size_t i = 0;
  for (; i + widened <= count; i += widened) {
    Batch wide[vectors];
    widen<Arch>(x + i, wide);
    for (std::size_t v = 0; v < vectors; ++v) wide[v].store_unaligned(out + i + v * Batch::size);
  }
  for (; i < count; ++i) out[i] = number_of(number_at(x + i));
}

// What a kind of numbers is read with.
struct StoredKernel {
  void (*multiply)(const StoredRow&);
  void (*unpack)(const std::byte* from, std::size_t count, float* out);
};
struct StoredKernels {
  StoredKernel half, upper_half, byte;
  void (*multiply_bytes)(const ByteProduct&);
};

template <class Arch>
constexpr StoredKernels stored_kernels() {
  return {{multiply_stored<Arch, Half>, unpack_numbers<Arch, Half>},
          {multiply_stored<Arch, UpperHalf>, unpack_numbers<Arch, UpperHalf>},
          {multiply_stored_bytes<Arch>, unpack_numbers<Arch, std::int8_t>},
          multiply_bytes<ByteLanes<Arch>>};
}

#ifdef ATTEND_AVX2
// Only for a machine that has it. Wider vectors would wait for the memory as these do.
StoredKernels stored_kernels_with_avx2();
#endif

}  // namespace attend::kernels
