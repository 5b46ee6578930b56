// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "kernels/terms.h"

namespace attend::kernels {

// a * b + c. AVX-512 cannot be had without fused multiply-add, and has to give the numbers of machines that lack it.
template <class Arch, Terms terms = Terms::apart, class Number>
[[gnu::always_inline]] inline xsimd::batch<Number, Arch> multiply_add(
    xsimd::batch<Number, Arch> a, xsimd::batch<Number, Arch> b, xsimd::batch<Number, Arch> c) {
  if constexpr (std::is_same_v<Arch, xsimd::avx512f> && terms == Terms::apart)
    return a * b + c;
  else
    return xsimd::fma(a, b, c);
}

}  // namespace attend::kernels
