// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "kernels/real.h"

// 2^x for the weights: x is a score less the largest one, so 0 or below.
namespace attend::fused {

// Within 2 ulp; exactly 1 at 0 and exactly 0 from the smallest normal number down, for -infinity
// too; NaN for NaN.
template <class Arch>
inline xsimd::batch<float, Arch> power_of_two(xsimd::batch<float, Arch> x) {
  using Batch = xsimd::batch<float, Arch>;
  // Adding this rounds to a whole number n and leaves n + 127 in the low bits, n = -127 as 0.
  const Batch round(12582912.F + 127.F);
  x = xsimd::max(x, Batch(-127.F));  // in this order a NaN stays
  const Batch n = x + round;
  const Batch f = x - (n - round);  // -1/2 .. 1/2
  Batch y(0.0001534581242594868F);
  y = xsimd::fma(y, f, Batch(0.0013399930903688073F));
  y = xsimd::fma(y, f, Batch(0.009618489071726799F));
  y = xsimd::fma(y, f, Batch(0.05550328642129898F));
  y = xsimd::fma(y, f, Batch(0.24022646248340607F));
  y = xsimd::fma(y, f, Batch(0.6931471824645996F));
  y = xsimd::fma(y, f, Batch(1.F));
  return y * xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(n) << 23);
}

template <class Arch>
inline xsimd::batch<double, Arch> power_of_two(xsimd::batch<double, Arch> x) {
  using Batch = xsimd::batch<double, Arch>;
  return xsimd::select(x < Batch(-1022.), Batch(0.), xsimd::exp2(x));
}

}  // namespace attend::fused
