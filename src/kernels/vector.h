// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>
#include <xsimd/xsimd.hpp>

#include "kernels/real.h"

// What the vector kernels share: loops over spans that never touch memory past the end, and the
// functions of a vector that more than one file needs.
namespace attend::kernels {

using Batch = xsimd::batch<real>;
inline constexpr std::size_t batch_size = Batch::size;

// The first `count` elements from x; the other lanes repeat the first, a value that is safe to
// compute with.
template <class Vector = Batch>
Vector load_part(const real* x, std::size_t count) {
  std::array<real, Vector::size> lanes;
  lanes.fill(x[0]);
  std::copy_n(x, count, lanes.begin());
  return Vector::load_unaligned(lanes.data());
}

template <class Vector>
void store_part(Vector value, real* y, std::size_t count) {
  std::array<real, Vector::size> lanes;
  value.store_unaligned(lanes.data());
  std::copy_n(lanes.begin(), count, y);
}

// y_i = f(x_i)
template <class Vector = Batch, class Function>
void map(std::span<const real> x, std::span<real> y, Function f) {
  assert(x.size() == y.size());
  const std::size_t n = y.size();
  // One place for `f`: where it stands twice a long function is twice as large.
  for (std::size_t i = 0; i < n; i += Vector::size) {
    const bool whole = i + Vector::size <= n;
    const Vector value = f(whole ? Vector::load_unaligned(&x[i]) : load_part<Vector>(&x[i], n - i));
    if (whole) {
      value.store_unaligned(&y[i]);
    } else {
      store_part(value, &y[i], n - i);
    }
  }
}

// The same for a function that is short enough to stand twice: the loop over whole vectors then decides nothing.
template <class Vector = Batch, class Function>
void map_short(std::span<const real> x, std::span<real> y, Function f) {
  assert(x.size() == y.size());
  const std::size_t n = y.size();
  std::size_t i = 0;
  for (; i + Vector::size <= n; i += Vector::size)
    f(Vector::load_unaligned(&x[i])).store_unaligned(&y[i]);
  if (i < n) store_part(f(load_part<Vector>(&x[i], n - i)), &y[i], n - i);
}

// z_i = f(x_i, y_i)
template <class Vector = Batch, class Function>
void map(std::span<const real> x, std::span<const real> y, std::span<real> z, Function f) {
  assert(x.size() == z.size() && y.size() == z.size());
  const std::size_t n = z.size();
  std::size_t i = 0;
  for (; i + Vector::size <= n; i += Vector::size) {
    f(Vector::load_unaligned(&x[i]), Vector::load_unaligned(&y[i])).store_unaligned(&z[i]);
  }
  if (i < n) {
    store_part(f(load_part<Vector>(&x[i], n - i), load_part<Vector>(&y[i], n - i)), &z[i], n - i);
  }
}

// The larger and the smaller one; NaN if either is.
template <class Vector>
Vector larger(Vector x, Vector y) {
  return xsimd::select((x > y) | (x != x), x, y);
}
template <class Vector>
Vector smaller(Vector x, Vector y) {
  return xsimd::select((x < y) | (x != x), x, y);
}

}  // namespace attend::kernels
