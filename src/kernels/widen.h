// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "kernels/half.h"
#include "kernels/real.h"

// Numbers of files as vectors of float. Everything here is a template over the architecture: the same function compiled
// for two of them must not share a name.
namespace attend::kernels {

// IEEE 754 binary16, and the upper half of a float.
enum class Half : std::uint16_t {};
enum class UpperHalf : std::uint16_t {};

inline float number_of(Half x) { return float_of_half(static_cast<std::uint16_t>(x)); }
inline float number_of(UpperHalf x) { return float_of_upper_half(static_cast<std::uint16_t>(x)); }
inline float number_of(std::int8_t x) { return static_cast<float>(x); }

// A number of a file, which begins at any byte.
template <class Number>
Number number_at(const Number* place) {
  Number x;
  std::memcpy(&x, static_cast<const void*>(place), sizeof x);
  return x;
}

// So many numbers are widened together: one load of bytes.
inline constexpr std::size_t widened = 16;

template <class Arch>
inline constexpr std::size_t floats_in = xsimd::batch<float, Arch>::size;

// Sixteen bytes as whole numbers of 32 bits.
template <class Arch, std::size_t Count>
void widen_bytes(const std::int8_t* x, xsimd::batch<std::int32_t, Arch> (&out)[Count]) {
#if defined(__wasm_simd128__)
  const v128_t all = wasm_v128_load(x);
  const v128_t low = wasm_i16x8_extend_low_i8x16(all), high = wasm_i16x8_extend_high_i8x16(all);
  out[0] = wasm_i32x4_extend_low_i16x8(low);
  out[1] = wasm_i32x4_extend_high_i16x8(low);
  out[2] = wasm_i32x4_extend_low_i16x8(high);
  out[3] = wasm_i32x4_extend_high_i16x8(high);
#else
#if defined(__AVX2__)
  if constexpr (Count == 2) {
    out[0] = _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(x)));
    out[1] = _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(x + 8)));
    return;
  }
#endif
  std::array<std::int32_t, widened> wide;
  for (std::size_t i = 0; i < widened; ++i) wide[i] = x[i];
  for (std::size_t v = 0; v < Count; ++v)
    out[v] = xsimd::batch<std::int32_t, Arch>::load_unaligned(wide.data() + v * (widened / Count));
#endif
}

// Sixteen numbers of 16 bits, the highest of them repeated above.
template <class Arch, std::size_t Count>
void widen_halves(const void* from, xsimd::batch<std::int32_t, Arch> (&out)[Count]) {
  const auto* const x = static_cast<const std::int16_t*>(from);
#if defined(__wasm_simd128__)
  for (std::size_t v = 0; v < 2; ++v) {
    const v128_t part = wasm_v128_load(x + 8 * v);
    out[2 * v] = wasm_i32x4_extend_low_i16x8(part);
    out[2 * v + 1] = wasm_i32x4_extend_high_i16x8(part);
  }
#else
#if defined(__AVX2__)
  if constexpr (Count == 2) {
    out[0] = _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
    out[1] = _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + 8)));
    return;
  }
#endif
  std::array<std::int32_t, widened> wide;
  for (std::size_t i = 0; i < widened; ++i) wide[i] = number_at(x + i);
  for (std::size_t v = 0; v < Count; ++v)
    out[v] = xsimd::batch<std::int32_t, Arch>::load_unaligned(wide.data() + v * (widened / Count));
#endif
}

template <class Arch, std::size_t Count>
void widen(const std::int8_t* x, xsimd::batch<float, Arch> (&out)[Count]) {
  xsimd::batch<std::int32_t, Arch> wide[Count];
  widen_bytes<Arch>(x, wide);
  for (std::size_t v = 0; v < Count; ++v) out[v] = xsimd::to_float(wide[v]);
}

// The exponent's difference by one product, which is exact and takes the smallest halves along. The sign is the
// highest bit already: of what repeats it only that one is kept.
template <class Arch, std::size_t Count>
void widen(const Half* x, xsimd::batch<float, Arch> (&out)[Count]) {
  using Bits = xsimd::batch<std::int32_t, Arch>;
  using Float = xsimd::batch<float, Arch>;
  constexpr auto sign_and_number = static_cast<std::int32_t>(0x8fffe000U);
  Bits wide[Count];
  widen_halves<Arch>(x, wide);
  for (std::size_t v = 0; v < Count; ++v)
    out[v] = xsimd::bitwise_cast<float>((wide[v] << 13) & Bits(sign_and_number)) * Float(0x1p112F);
}

template <class Arch, std::size_t Count>
void widen(const UpperHalf* x, xsimd::batch<float, Arch> (&out)[Count]) {
  xsimd::batch<std::int32_t, Arch> wide[Count];
  widen_halves<Arch>(x, wide);
  for (std::size_t v = 0; v < Count; ++v) out[v] = xsimd::bitwise_cast<float>(wide[v] << 16);
}

}  // namespace attend::kernels
