// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/real.h"

// What the kernel tests share. Expected values come from plain loops in a wider type.
namespace attend::sweep {

using wide = std::conditional_t<std::is_same_v<real, float>, double, long double>;

inline constexpr real infinity = std::numeric_limits<real>::infinity();
inline constexpr real nan = std::numeric_limits<real>::quiet_NaN();
inline constexpr real epsilon = std::numeric_limits<real>::epsilon();

// 0 to 2 groups of 8 lanes, and one more.
inline constexpr std::size_t most_size = 17;
inline constexpr std::size_t most_offset = 4;

// The same numbers on every machine: splitmix64, mapped to [low, high).
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  real next(double low, double high) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return static_cast<real>(low + (high - low) * static_cast<double>(z >> 11) * 0x1p-53);
  }
  std::vector<real> list(std::size_t count, double low, double high) {
    std::vector<real> numbers(count);
    for (real& x : numbers) x = next(low, high);
    return numbers;
  }

 private:
  std::uint64_t state_;
};

// Memory for `size` results at an odd place, with a guard on either side that must stay untouched.
class Guarded {
 public:
  Guarded(std::size_t size, std::size_t offset) : size_(size), first_(guard + offset) {
    memory_.assign(first_ + size + guard, mark);
  }
  real* data() { return memory_.data() + first_; }
  std::span<real> span() { return {data(), size_}; }
  bool intact() const {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if ((i < first_ || i >= first_ + size_) && memory_[i] != mark) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t guard = 8;
  static constexpr real mark = real(-12345.5);
  std::size_t size_;
  std::size_t first_;
  std::vector<real> memory_;
};

// |got - want| in units in the last place of `want`; 0 for equal infinities and for NaN twice.
inline double ulps(real got, wide want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : 1e30;
  const real nearest = static_cast<real>(want);
  if (std::isinf(nearest)) return got == nearest ? 0 : 1e30;
  const real size = std::fmax(std::fabs(nearest), std::numeric_limits<real>::min());
  const wide unit = static_cast<wide>(std::nextafter(size, infinity)) - static_cast<wide>(size);
  const double distance = static_cast<double>(std::fabs(static_cast<wide>(got) - want) / unit);
  return std::isnan(distance) ? 1e30 : distance;
}

// Every size and misalignment: body(size, offset).
template <class Body>
void sizes_and_offsets(Body body) {
  for (std::size_t size = 0; size <= most_size; ++size) {
    for (std::size_t offset = 0; offset <= most_offset; ++offset) {
      CAPTURE(size);
      CAPTURE(offset);
      body(size, offset);
    }
  }
}

}  // namespace attend::sweep
