// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "kernels/multiply_add.h"
#include "kernels/real.h"

// Powers of vectors. Made once before a loop: they hold their constants.
namespace attend::kernels {

#ifdef ATTEND_DOUBLE

template <class Arch>
struct PowerOfTwo {
  using Batch = xsimd::batch<double, Arch>;
  Batch operator()(Batch x) const {
    return xsimd::select(x < Batch(-1022.), Batch(0.), xsimd::exp2(x));
  }
};

template <class Arch>
struct Exponential {
  using Batch = xsimd::batch<double, Arch>;
  struct Pair {
    Batch high, low;
  };
  Batch operator()(Batch x) const { return xsimd::exp(x); }
  Batch below_zero(Batch x) const { return xsimd::exp(x); }
  Pair pair(Batch x) const { return {xsimd::exp(x), Batch(0.)}; }
  struct Both {
    Batch power, minus_one;
  };
  Both both(Batch x) const { return {xsimd::exp(x), xsimd::expm1(x)}; }
};

#else

// Constants in registers. A WebAssembly engine makes a constant that it knows anew wherever it is
// used, by three instructions; these come from memory for all that it can tell.
template <class Arch, std::size_t Count>
class Constants {
 public:
  using Batch = xsimd::batch<float, Arch>;
  [[gnu::always_inline]] explicit Constants(const std::array<float, Count>& values) {
    const float* from = values.data();
#ifdef __wasm__
    asm("" : "+r"(from));
#endif
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Count; ++i) held_[i] = Batch(from[i]);
  }
  [[gnu::always_inline]] Batch operator[](std::size_t i) const { return held_[i]; }

 private:
  std::array<Batch, Count> held_;
};

// c0 + c1 x .. + c5 x^5 as a tree: the steps of a plain Horner scheme wait for each other.
template <class Batch>
[[gnu::always_inline]] inline Batch polynomial(Batch x, Batch c0, Batch c1, Batch c2, Batch c3,
                                               Batch c4, Batch c5) {
  const Batch square = x * x;
  const Batch high = multiply_add(multiply_add(c5, x, c4), square, multiply_add(c3, x, c2));
  return multiply_add(high, square, multiply_add(c1, x, c0));
}

// Adding this rounds to a whole number n and leaves n + 127 in the low bits, n = -127 as 0.
inline constexpr float round_exponent = 12582912.F + 127.F;

// 2^n, from n + round_exponent.
template <class Arch>
[[gnu::always_inline]] inline xsimd::batch<float, Arch> whole_power(xsimd::batch<float, Arch> n) {
  return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(n) << 23);
}

// 2^x for x <= 0, within 2 ulp; exactly 1 at 0 and exactly 0 from the smallest normal number down,
// for -infinity too; NaN for NaN.
template <class Arch>
class PowerOfTwo {
 public:
  using Batch = xsimd::batch<float, Arch>;
  [[gnu::always_inline]] Batch operator()(Batch x) const {
    x = xsimd::max(x, held_[0]);  // in this order a NaN stays
    const Batch n = x + held_[1];
    const Batch f = x - (n - held_[1]);  // -1/2 .. 1/2
    const Batch tail = polynomial(f, held_[2], held_[3], held_[4], held_[5], held_[6], held_[7]);
    return multiply_add(tail, f, held_[8]) * whole_power<Arch>(n);
  }

 private:
  static constexpr std::array<float, 9> values{
      -127.F,
      round_exponent,
      0.6931471824645996F,
      0.24022646248340607F,
      0.05550328642129898F,
      0.009618489071726799F,
      0.0013399930903688073F,
      0.0001534581242594868F,
      1.F,
  };
  Constants<Arch, values.size()> held_{values};
};

// e^x within 2 ulp; infinity where that is too large, and 0 below the smallest normal number; NaN
// for NaN.
template <class Arch>
class Exponential {
 public:
  using Batch = xsimd::batch<float, Arch>;

  [[gnu::always_inline]] Batch operator()(Batch x) const {
    Batch n;
    const Batch rest = reduce(xsimd::min(xsimd::max(x, held_[12]), held_[5]), n);
    // In two halves, because 2^128 is no float.
    const auto whole = xsimd::bitwise_cast<std::int32_t>(n) - round_bits();
    const auto half = whole >> 1;
    return (rest + one()) * power(half) * power(whole - half);
  }
  // The same for x <= 0 with fewer steps.
  [[gnu::always_inline]] Batch below_zero(Batch x) const {
    Batch n;
    const Batch rest = reduce(xsimd::max(x, held_[6]), n);
    return (rest + one()) * whole_power<Arch>(n);
  }
  // e^x for x <= 0 as a sum of two, good to more digits than one number holds.
  struct Pair {
    Batch high, low;
  };
  [[gnu::always_inline]] Pair pair(Batch x) const {
    Batch n;
    const Batch rest = reduce(xsimd::max(x, held_[6]), n);
    const Batch scale = whole_power<Arch>(n), high = rest + one();
    return {high * scale, (rest - (high - one())) * scale};
  }
  // e^x and e^x - 1 for x <= 0, both with all digits of a small result.
  struct Both {
    Batch power, minus_one;
  };
  [[gnu::always_inline]] Both both(Batch x) const {
    Batch n;
    const Batch rest = reduce(xsimd::max(x, held_[6]), n);
    const Batch scale = whole_power<Arch>(n);
    return {(rest + one()) * scale, multiply_add(rest, scale, scale - one())};
  }

 private:
  using Whole = xsimd::batch<std::int32_t, Arch>;
  static Whole round_bits() { return Whole(0x4b400000 + 127); }
  static Batch power(Whole n) { return xsimd::bitwise_cast<float>((n + Whole(127)) << 23); }
  [[gnu::always_inline]] Batch one() const { return held_[13]; }

  // e^(x - n ln 2) - 1, and n + round_exponent.
  [[gnu::always_inline]] Batch reduce(Batch x, Batch& n) const {
    n = multiply_add(x, held_[0], held_[1]);
    const Batch whole = n - held_[1];
    // ln 2 in two parts, the first short enough that its product is exact.
    const Batch f = multiply_add(whole, held_[3], multiply_add(whole, held_[2], x));
    const Batch tail = polynomial(f, held_[4], held_[7], held_[8], held_[9], held_[10], held_[11]);
    return multiply_add(tail * f, f, f);
  }

  static constexpr std::array<float, 14> values{
      1.44269504088896341F,
      round_exponent,
      -0.693359375F,
      2.12194440e-4F,
      0.5F,
      89.F,
      -88.F,
      0.166666666F,
      0.041666668F,
      0.0083334519F,
      0.0013981999F,
      0.00019875691F,
      -104.F,
      1.F,
  };
  Constants<Arch, values.size()> held_{values};
};

#endif

// tanh |x| = -m / (m + 2) with m = e^(-2|x|) - 1. Where this is near 1, it is computed as 1 minus the rest, which keeps
// its digits.
template <class Arch>
class HyperbolicTangent {
 public:
  using Batch = xsimd::batch<real, Arch>;
  [[gnu::always_inline]] Batch operator()(Batch x) const {
    const Batch size = xsimd::abs(x);
    const auto [power, minus_one] = exponential_.both(-(size + size));
    const auto far = minus_one < Batch(real(-0.7));
    const Batch part = xsimd::select(far, power + power, minus_one) / (minus_one + Batch(2));
    return xsimd::copysign(xsimd::select(far, Batch(1), Batch(0)) - part, x);
  }

 private:
  Exponential<Arch> exponential_;
};

}  // namespace attend::kernels
