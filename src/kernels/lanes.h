// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "kernels/vector.h"

// Reductions of one row. A row is cut into groups of 8 whatever the width of a vector is, so that
// every machine adds the same numbers in the same order.
namespace attend::kernels {

inline constexpr std::size_t lanes = 8;

template <class Vector = Batch>
using Lanes = std::array<Vector, lanes / Vector::size>;

template <class Vector = Batch>
Lanes<Vector> load_lanes(const real* x) {
  static_assert(lanes % Vector::size == 0);
  Lanes<Vector> v;
  for (std::size_t b = 0; b < v.size(); ++b) v[b] = Vector::load_unaligned(x + b * Vector::size);
  return v;
}

// `count` < 8 elements; the other lanes hold `rest`.
template <class Vector = Batch>
Lanes<Vector> load_lanes(const real* x, std::size_t count, real rest) {
  std::array<real, lanes> padded;
  padded.fill(rest);
  std::copy_n(x, count, padded.begin());
  return load_lanes<Vector>(padded.data());
}

template <class Vector, std::size_t Count>
void store_lanes(const std::array<Vector, Count>& v, real* y) {
  for (std::size_t b = 0; b < Count; ++b) v[b].store_unaligned(y + b * Vector::size);
}

// Lane l sums the elements l, l + 8, l + 16, ...; the lanes join as a tree at the end.
template <class Vector = Batch>
class LaneSum {
 public:
  LaneSum() { sum_.fill(Vector(0)); }

  void add(const Lanes<Vector>& v) {
    for (std::size_t b = 0; b < v.size(); ++b) sum_[b] += v[b];
  }
  void add_part(const real* x, std::size_t count) {
    if (count > 0) add(load_lanes<Vector>(x, count, real(0)));
  }
  real total() const {
#ifdef __wasm__
    // The same tree without a way through the memory, which takes longer than the sums.
    if constexpr (Vector::size == 4) return xsimd::reduce_add(sum_[0] + sum_[1]);
#endif
    std::array<real, lanes> s;
    store_lanes(sum_, s.data());
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }

 private:
  Lanes<Vector> sum_;
};

// The largest of count elements, NaN if there is one, -infinity if there are none.
template <class Vector = Batch>
real largest(const real* x, std::size_t count) {
  constexpr real none = -std::numeric_limits<real>::infinity();
  Lanes<Vector> most;
  most.fill(Vector(none));
  const auto take = [&most](const Lanes<Vector>& v) {
    for (std::size_t b = 0; b < v.size(); ++b) most[b] = larger(most[b], v[b]);
  };
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes) take(load_lanes<Vector>(x + j));
  if (j < count) take(load_lanes<Vector>(x + j, count - j, none));
  std::array<real, lanes> m;
  store_lanes(most, m.data());
  real result = m[0];
  for (const real v : m) result = v > result || v != v ? v : result;
  return result;
}

}  // namespace attend::kernels
