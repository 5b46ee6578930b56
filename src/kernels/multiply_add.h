// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace attend::kernels {

// a * b + c. AVX-512 cannot be had without fused multiply-add, and has to give the numbers of machines that lack it.
template <class Arch, class Number>
[[gnu::always_inline]] inline xsimd::batch<Number, Arch> multiply_add(
    xsimd::batch<Number, Arch> a, xsimd::batch<Number, Arch> b, xsimd::batch<Number, Arch> c) {
  if constexpr (std::is_same_v<Arch, xsimd::avx512f>)
    return a * b + c;
  else
    return xsimd::fma(a, b, c);
}

// Whether an architecture's products round a * b + c once. All that do give the same numbers.
template <class Arch>
inline constexpr bool fuses_products =
    std::is_same_v<Arch, xsimd::fma3<xsimd::avx2>> || std::is_same_v<Arch, xsimd::avx512f>;

// a * b + c in a product of matrices.
template <class Arch, class Number>
[[gnu::always_inline]] inline xsimd::batch<Number, Arch> add_product(xsimd::batch<Number, Arch> a,
                                                                     xsimd::batch<Number, Arch> b,
                                                                     xsimd::batch<Number, Arch> c) {
  return xsimd::fma(a, b, c);
}

// The same of single numbers, as the vectors beside them round it.
template <class Arch, class Number>
[[gnu::always_inline]] inline Number add_product_of_one(Number a, Number b, Number c) {
  if constexpr (fuses_products<Arch>)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

}  // namespace attend::kernels
