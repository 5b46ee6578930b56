// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// Vectors of whole numbers for products of rows of 0 to 127 with columns of bytes. What a kind of machine has:
//   Row, Cell      what a number of a row, and of a column, is held as
//   depth          so many numbers of each column are multiplied together
//   columns        and of so many columns, in one Vector of cells and one of Sums
//   interleave     16 columns of `depth` rows of bytes as Vectors, column by column
//   pair           8 columns of two rows in the same way, where the depth is 2
//   dot_add        to each of the sums its column's `depth` numbers times those of a row
// All sums are exact, so that every machine has the same.
namespace attend::kernels {

// So many columns are interleaved together: one load of bytes.
inline constexpr std::size_t byte_columns = 16;

// For machines that have none of the others, and for the build in double, which is not made for speed.
template <class Arch>
struct PortableLanes {
  using Row = std::uint8_t;
  using Cell = std::int8_t;
  static constexpr std::size_t depth = 4, columns = 4, cells = depth * columns;
  using Vector = std::array<std::int8_t, cells>;
  using Repeated = std::array<std::uint8_t, depth>;
  using Sums = std::array<std::int32_t, columns>;

  static Vector load(const Cell* from) {
    Vector v;
    std::memcpy(v.data(), from, cells);
    return v;
  }
  static void store(Cell* to, const Vector& v) { std::memcpy(to, v.data(), cells); }
  static Repeated repeat(const Row* from) {
    Repeated v;
    std::memcpy(v.data(), from, depth);
    return v;
  }
  static Sums load_sums(const std::int32_t* from) {
    Sums v;
    std::memcpy(v.data(), from, sizeof v);
    return v;
  }
  static void store_sums(std::int32_t* to, const Sums& v) { std::memcpy(to, v.data(), sizeof v); }
  static Sums dot_add(const Vector& column, const Repeated& row, Sums sums) {
    for (std::size_t i = 0; i < cells; ++i) sums[i / depth] += column[i] * row[i % depth];
    return sums;
  }
  static void interleave(const std::int8_t* const (&rows)[depth],
                         Vector (&out)[byte_columns / columns]) {
    for (std::size_t c = 0; c < byte_columns; ++c)
      for (std::size_t p = 0; p < depth; ++p)
        out[c / columns][c % columns * depth + p] = rows[p][c];
  }
  // Sixteen numbers of one column that lie side by side.
  static Sums dot_along(const std::int8_t* column, const Row* row, Sums sums) {
    for (std::size_t i = 0; i < byte_columns; ++i) sums[i / depth] += column[i] * row[i];
    return sums;
  }
};

#if defined(__wasm_simd128__)
// What both builds for WebAssembly do alike.
struct WasmVectors {
  using Vector = v128_t;
  using Repeated = v128_t;
  using Sums = v128_t;

  static Vector load(const void* from) { return wasm_v128_load(from); }
  static void store(void* to, Vector v) { wasm_v128_store(to, v); }
  static Repeated repeat(const void* from) { return wasm_v128_load32_splat(from); }
  static Sums load_sums(const std::int32_t* from) { return wasm_v128_load(from); }
  static void store_sums(std::int32_t* to, Sums v) { wasm_v128_store(to, v); }
  // The lower and the upper half of the bytes of two vectors in turns.
  static v128_t low(v128_t a, v128_t b) {
    return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
  static v128_t high(v128_t a, v128_t b) {
    return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
};

// Two products at once, of sixteen bits.
struct WasmLanes : WasmVectors {
  using Row = std::int16_t;
  using Cell = std::int16_t;
  static constexpr std::size_t depth = 2, columns = 4, cells = depth * columns;

  static Sums dot_add(Vector column, Repeated row, Sums sums) {
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(column, row));
  }
  static void interleave(const std::int8_t* const (&rows)[depth],
                         Vector (&out)[byte_columns / columns]) {
    const v128_t a = wasm_v128_load(rows[0]), b = wasm_v128_load(rows[1]);
    const v128_t lower = low(a, b), upper = high(a, b);
    out[0] = wasm_i16x8_extend_low_i8x16(lower);
    out[1] = wasm_i16x8_extend_high_i8x16(lower);
    out[2] = wasm_i16x8_extend_low_i8x16(upper);
    out[3] = wasm_i16x8_extend_high_i8x16(upper);
  }
  // A load that widens is one instruction; the upper half of a vector takes two to widen.
  static void pair(const std::int8_t* first, const std::int8_t* second,
                   Vector (&out)[byte_columns / 2 / columns]) {
    const v128_t a = wasm_i16x8_load8x8(first), b = wasm_i16x8_load8x8(second);
    out[0] = wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    out[1] = wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  static Sums dot_along(const std::int8_t* column, const Row* row, Sums sums) {
    sums = dot_add(wasm_i16x8_load8x8(column), wasm_v128_load(row), sums);
    return dot_add(wasm_i16x8_load8x8(column + 8), wasm_v128_load(row + 8), sums);
  }
};
#endif

#if defined(ATTEND_DOUBLE)
template <class Arch>
using ByteLanes = PortableLanes<Arch>;

#elif defined(__wasm_relaxed_simd__)
// Two products at once and their sum, of a byte and of seven bits: 127 times 128 twice fits in sixteen bits.
struct WasmRelaxedLanes : WasmVectors {
  using Row = std::uint8_t;
  using Cell = std::int8_t;
  static constexpr std::size_t depth = 4, columns = 4, cells = depth * columns;

  // V8 11.3 loses sums with the one instruction that multiplies and adds. The line of assembly keeps the compiler from
  // making that instruction out of these three.
  static Sums dot_add(Vector column, Repeated row, Sums sums) {
    v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(column, row);
    __asm__("" : "+r"(pairs));
    return wasm_i32x4_add(sums, wasm_i32x4_extadd_pairwise_i16x8(pairs));
  }
  static void interleave(const std::int8_t* const (&rows)[depth],
                         Vector (&out)[byte_columns / columns]) {
    v128_t r[depth];
    for (std::size_t p = 0; p < depth; ++p) r[p] = wasm_v128_load(rows[p]);
    const v128_t first[2] = {low(r[0], r[1]), high(r[0], r[1])};
    const v128_t second[2] = {low(r[2], r[3]), high(r[2], r[3])};
    for (std::size_t half = 0; half < 2; ++half) {
      out[2 * half] = wasm_i16x8_shuffle(first[half], second[half], 0, 8, 1, 9, 2, 10, 3, 11);
      out[2 * half + 1] = wasm_i16x8_shuffle(first[half], second[half], 4, 12, 5, 13, 6, 14, 7, 15);
    }
  }
  static Sums dot_along(const std::int8_t* column, const Row* row, Sums sums) {
    return dot_add(wasm_v128_load(column), wasm_v128_load(row), sums);
  }
};
template <class Arch>
using ByteLanes = WasmRelaxedLanes;

#elif defined(__wasm_simd128__)
template <class Arch>
using ByteLanes = WasmLanes;

#elif defined(__SSE2__)
// Two products at once, of sixteen bits. A template, so that code for AVX2 does not share its name.
template <class Arch>
struct Sse2Lanes {
  using Row = std::int16_t;
  using Cell = std::int16_t;
  static constexpr std::size_t depth = 2, columns = 4, cells = depth * columns;
  using Vector = __m128i;
  using Repeated = __m128i;
  using Sums = __m128i;

  static __m128i at(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
  static Vector load(const Cell* from) { return at(from); }
  static void store(Cell* to, Vector v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v); }
  static Repeated repeat(const Row* from) {
    std::int32_t pair;
    std::memcpy(&pair, from, sizeof pair);
    return _mm_set1_epi32(pair);
  }
  static Sums load_sums(const std::int32_t* from) { return at(from); }
  static void store_sums(std::int32_t* to, Sums v) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v);
  }
  static Sums dot_add(Vector column, Repeated row, Sums sums) {
    return _mm_add_epi32(sums, _mm_madd_epi16(column, row));
  }
  static __m128i eight_at(const std::int8_t* from) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  }
  // Bytes in the upper halves of sixteen bits, shifted down with their sign.
  static __m128i widened_low(__m128i bytes) {
    return _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
  }
  static __m128i widened_high(__m128i bytes) {
    return _mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8);
  }
  static void interleave(const std::int8_t* const (&rows)[depth],
                         Vector (&out)[byte_columns / columns]) {
    const __m128i a = at(rows[0]), b = at(rows[1]);
    const __m128i low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
    out[0] = widened_low(low);
    out[1] = widened_high(low);
    out[2] = widened_low(high);
    out[3] = widened_high(high);
  }
  static void pair(const std::int8_t* first, const std::int8_t* second,
                   Vector (&out)[byte_columns / 2 / columns]) {
    const __m128i both = _mm_unpacklo_epi8(eight_at(first), eight_at(second));
    out[0] = widened_low(both);
    out[1] = widened_high(both);
  }
  static Sums dot_along(const std::int8_t* column, const Row* row, Sums sums) {
    const __m128i bytes = at(column);
    sums = dot_add(widened_low(bytes), at(row), sums);
    return dot_add(widened_high(bytes), at(row + 8), sums);
  }
};

#if defined(__AVX2__)
struct Avx2Lanes {
  using Row = std::int16_t;
  using Cell = std::int16_t;
  static constexpr std::size_t depth = 2, columns = 8, cells = depth * columns;
  using Vector = __m256i;
  using Repeated = __m256i;
  using Sums = __m256i;

  static __m256i at(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static __m128i half_at(const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  }
  static Vector load(const Cell* from) { return at(from); }
  static void store(Cell* to, Vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
  static Repeated repeat(const Row* from) {
    std::int32_t pair;
    std::memcpy(&pair, from, sizeof pair);
    return _mm256_set1_epi32(pair);
  }
  static Sums load_sums(const std::int32_t* from) { return at(from); }
  static void store_sums(std::int32_t* to, Sums v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v);
  }
  static Sums dot_add(Vector column, Repeated row, Sums sums) {
    return _mm256_add_epi32(sums, _mm256_madd_epi16(column, row));
  }
  static void interleave(const std::int8_t* const (&rows)[depth],
                         Vector (&out)[byte_columns / columns]) {
    const __m128i a = half_at(rows[0]), b = half_at(rows[1]);
    out[0] = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(a, b));
    out[1] = _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(a, b));
  }
  static void pair(const std::int8_t* first, const std::int8_t* second,
                   Vector (&out)[byte_columns / 2 / columns]) {
    const auto eight_at = [](const std::int8_t* from) {
      return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    };
    out[0] = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(eight_at(first), eight_at(second)));
  }
  static Sums dot_along(const std::int8_t* column, const Row* row, Sums sums) {
    return dot_add(_mm256_cvtepi8_epi16(half_at(column)), at(row), sums);
  }
};
template <class Arch>
using ByteLanes = std::conditional_t<std::is_same_v<Arch, xsimd::avx2>, Avx2Lanes, Sse2Lanes<Arch>>;
#else
template <class Arch>
using ByteLanes = Sse2Lanes<Arch>;
#endif

#else
template <class Arch>
using ByteLanes = PortableLanes<Arch>;
#endif

// Those whose numbers of rows have sixteen bits; void where a machine has none.
#if defined(__wasm_simd128__)
template <class Arch>
using WholeLanes = WasmLanes;
#elif defined(__SSE2__) && !defined(ATTEND_DOUBLE)
template <class Arch>
using WholeLanes = ByteLanes<Arch>;
#else
template <class Arch>
using WholeLanes = void;
#endif

}  // namespace attend::kernels
