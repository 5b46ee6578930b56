// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace attend {

// A half-precision number (IEEE 754 binary16) as float; the conversion is exact.
inline float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = half >> 10U & 31U, mantissa = half & 1023U;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | mantissa << 13U);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112U) << 23U | mantissa << 13U);
  const float size = static_cast<float>(mantissa) * 0x1p-24F;
  return sign == 0 ? size : -size;
}

// The upper half of a float (bfloat16) as float; exact.
inline float float_of_upper_half(std::uint16_t half) {
  return std::bit_cast<float>(std::uint32_t{half} << 16U);
}

}  // namespace attend
