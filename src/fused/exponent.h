// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "kernels/real.h"

// 2^x for the weights: x is a score less the largest one, so 0 or below.
namespace attend::fused {

// max(x, low), and NaN where x is NaN. Which operand a NaN leaves standing differs by machine.
template <class Arch>
inline xsimd::batch<real, Arch> at_least(xsimd::batch<real, Arch> x, real low) {
  const xsimd::batch<real, Arch> least(low);
#ifdef __wasm__
  return xsimd::max(x, least);
#else
  return xsimd::max(least, x);
#endif
}

// x[i] = 2^x[i], several at a time so that none waits for another. Within 2 ulp; exactly 1 at 0 and
// exactly 0 from the smallest normal number down, for -infinity too; NaN for NaN.
template <class Arch, std::size_t Count>
[[gnu::always_inline]] inline void powers_of_two(xsimd::batch<float, Arch> (&x)[Count]) {
  using Batch = xsimd::batch<float, Arch>;
  // Adding this rounds to a whole number n and leaves n + 127 in the low bits, n = -127 as 0.
  const Batch round(12582912.F + 127.F);
  constexpr float series[] = {0.0013399930903688073F, 0.009618489071726799F, 0.05550328642129898F,
                              0.24022646248340607F,   0.6931471824645996F,   1.F};
  Batch n[Count];
  Batch y[Count];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Count; ++i) {
    x[i] = at_least<Arch>(x[i], -127.F);
    n[i] = x[i] + round;
    x[i] = x[i] - (n[i] - round);  // -1/2 .. 1/2
    y[i] = Batch(0.0001534581242594868F);
  }
#pragma GCC unroll 8
  for (const float c : series) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Count; ++i) y[i] = xsimd::fma(y[i], x[i], Batch(c));
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Count; ++i) {
    const auto scale = xsimd::bitwise_cast<std::int32_t>(n[i]) << 23;
    x[i] = y[i] * xsimd::bitwise_cast<float>(scale);
  }
}

template <class Arch, std::size_t Count>
inline void powers_of_two(xsimd::batch<double, Arch> (&x)[Count]) {
  using Batch = xsimd::batch<double, Arch>;
  for (Batch& v : x) v = xsimd::select(v < Batch(-1022.), Batch(0.), xsimd::exp2(v));
}

}  // namespace attend::fused
