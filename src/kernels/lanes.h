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
inline constexpr std::size_t lane_batches = lanes / batch_size;
static_assert(lanes % batch_size == 0);

using Lanes = std::array<Batch, lane_batches>;

inline Lanes load_lanes(const real* x) {
  Lanes v;
  for (std::size_t b = 0; b < lane_batches; ++b) v[b] = Batch::load_unaligned(x + b * batch_size);
  return v;
}

// `count` < 8 elements; the other lanes hold `rest`.
inline Lanes load_lanes(const real* x, std::size_t count, real rest) {
  std::array<real, lanes> padded;
  padded.fill(rest);
  std::copy_n(x, count, padded.begin());
  return load_lanes(padded.data());
}

inline void store_lanes(const Lanes& v, real* y) {
  for (std::size_t b = 0; b < lane_batches; ++b) v[b].store_unaligned(y + b * batch_size);
}

// Lane l sums the elements l, l + 8, l + 16, ...; the lanes join as a tree at the end.
class LaneSum {
 public:
  LaneSum() { sum_.fill(Batch(0)); }

  void add(const Lanes& v) {
    for (std::size_t b = 0; b < lane_batches; ++b) sum_[b] += v[b];
  }
  void add_part(const real* x, std::size_t count) {
    if (count > 0) add(load_lanes(x, count, real(0)));
  }
  real total() const {
    std::array<real, lanes> s;
    store_lanes(sum_, s.data());
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }

 private:
  Lanes sum_;
};

// The largest of count elements, NaN if there is one, -infinity if there are none.
inline real largest(const real* x, std::size_t count) {
  constexpr real none = -std::numeric_limits<real>::infinity();
  Lanes most;
  most.fill(Batch(none));
  const auto take = [&most](const Lanes& v) {
    for (std::size_t b = 0; b < lane_batches; ++b) most[b] = larger(most[b], v[b]);
  };
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes) take(load_lanes(x + j));
  if (j < count) take(load_lanes(x + j, count - j, none));
  std::array<real, lanes> m;
  store_lanes(most, m.data());
  real result = m[0];
  for (const real v : m) result = v > result || v != v ? v : result;
  return result;
}

}  // namespace attend::kernels
