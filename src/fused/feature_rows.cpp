// SPDX-License-Identifier: Apache-2.0
#include "fused/feature_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fused/feature_sums.h"
#include "fused/product.h"
#include "kernels/lanes.h"

namespace attend::fused {
namespace {

using kernels::Batch;
using Power = PowerOfTwo<Batch::arch_type>;

constexpr real most_exponent = 80;  // e to this is still a float

real inner(const real* x, const real* y, std::size_t count) {
  real sum = 0;
  for (std::size_t c = 0; c < count; ++c) sum += x[c] * y[c];
  return sum;
}

}  // namespace

FeatureRows::FeatureRows(const FeatureAttention& a, std::size_t head, Side side)
    : a_(a), head_(head), side_(side), rows_(side == Side::query ? a.q : a.k) {
  if (is_drawn(a.map)) {
    drawn_ = row_of(a.drawn, head, 0);
    if (a.map != FeatureMap::fourier) factor_ = 1 / std::pow(static_cast<real>(a.d), real(.25));
  }
  if (side == Side::query) return;
  if (a.map == FeatureMap::positive) {
    fixed_ = a.causal;
    shift_ = none;
    if (!a.causal) return;
    // An exponent is at most |w|^2 / 2, whatever the keys are.
    real most = 0;
    for (std::size_t r = 0; r < a.r; ++r) {
      const real* const w = drawn_ + r * a.drawn.row;
      most = std::max(most, inner(w, w, a.d) / 2);
    }
    shift_ = std::max(most - most_exponent, real(0));
  }
  const bool exponents = a.map == FeatureMap::exponential || a.map == FeatureMap::elu_plus_one;
  if (!exponents || a.causal || !a.divides || a.n == 0) return;
  // Of elu + 1 all that counts is whether it lies below 0, which the first rows mostly tell.
  const real enough = a.map == FeatureMap::elu_plus_one ? 0 : std::numeric_limits<real>::infinity();
  real most = none;
  for (std::size_t j = 0; j < a.n && most < enough; ++j)
    most = std::max(most, kernels::largest(row_of(rows_, head, j), a.d));
  shift_ = most;
}

void FeatureRows::map_row(const real* x, real* f) const {
  const std::size_t d = a_.d;
  real shift = shift_;
  const bool exponents = a_.map == FeatureMap::exponential || a_.map == FeatureMap::elu_plus_one;
  if (exponents && side_ == Side::query && a_.divides) shift = kernels::largest(x, d);
  // Of elu + 1 what lies above 0 is no exponential: there nothing is small.
  if (a_.map == FeatureMap::elu_plus_one) shift = std::min(shift, real(0));
  if (!std::isfinite(shift)) shift = 0;
  const std::span<const real> from(x, d);
  const std::span<real> to(f, d);
  switch (a_.map) {
    case FeatureMap::exponential:
      if (!a_.divides || (a_.causal && side_ == Side::key)) {
        const kernels::Exponential<Batch::arch_type> exp;
        return kernels::map(from, to, [&](Batch one) { return exp(one); });
      } else {
        const Power power;
        return kernels::map(from, to, [&, least = Batch(shift)](Batch one) {
          return power((one - least) * Batch(log2_e));
        });
      }
    case FeatureMap::elu_plus_one: {
      const Power power;
      return kernels::map(from, to, [&, least = Batch(shift)](Batch one) {
        const Batch below = power(xsimd::min(one - least, Batch(0)) * Batch(log2_e));
        return xsimd::select(one > Batch(0), one + Batch(1), below);
      });
    }
    case FeatureMap::relu:
      return kernels::map(from, to, [](Batch one) { return xsimd::max(one, Batch(0)); });
    case FeatureMap::one_plus:
      return kernels::map(from, to, [](Batch one) { return one + Batch(1); });
    default:
      std::copy_n(x, d, f);
  }
}

// Products with the drawn rows, and what the map makes of them.
real FeatureRows::project(std::size_t first, std::size_t count, real* f) {
  const std::size_t r = a_.r;
  product({row_of(rows_, head_, first), rows_.row, false}, {drawn_, a_.drawn.row, true}, f, r,
          count, r, a_.d);
  const auto map = [&](std::size_t i, const auto& change) {
    kernels::map(std::span<const real>(f + i * r, r), std::span<real>(f + i * r, r), change);
  };
  const Batch factor(factor_);
  if (a_.map == FeatureMap::rectified) {
    const Batch share(1 / std::sqrt(static_cast<real>(r))), least(real(1e-3));
    for (std::size_t i = 0; i < count; ++i) {
      map(i, [&](Batch x) { return xsimd::max(x * factor, Batch(0)) * share + least; });
    }
    return 1;
  }
  Buffer<real> offsets(count);
  real change = 1, most = none;
  for (std::size_t i = 0; i < count; ++i) {
    const real* const x = row_of(rows_, head_, first + i);
    const real top = fixed_ && side_ == Side::key ? 0 : kernels::largest(f + i * r, r) * factor_;
    real& offset = offsets.data()[i];
    offset = side_ == Side::query ? top : factor_ * factor_ * inner(x, x, a_.d) / 2;
    most = std::max(most, top - offset);
  }
  if (!fixed_ && most > shift_ && side_ == Side::key) {
    change = shift_ == none ? real(0) : std::exp(shift_ - most);
    shift_ = most;
  }
  if (side_ == Side::key && fixed_) {  // these may lie above 0
    const kernels::Exponential<Batch::arch_type> exp;
    for (std::size_t i = 0; i < count; ++i) {
      map(i,
          [&, off = Batch(offsets.data()[i] + shift_)](Batch x) { return exp(x * factor - off); });
    }
    return change;
  }
  const Power power;
  const Batch rate(factor_ * log2_e);
  const real shift = side_ == Side::key && shift_ != none ? shift_ : real(0);
  for (std::size_t i = 0; i < count; ++i) {
    map(i, [&, off = Batch((offsets.data()[i] + shift) * log2_e)](Batch x) {
      return power(xsimd::min(x * rate - off, Batch(0)));
    });
  }
  return change;
}

real FeatureRows::make(std::size_t first, std::size_t count, real* f) {
  if (a_.map == FeatureMap::fourier) {
    make_waves(first, count, f);
    return 1;
  }
  if (is_drawn(a_.map)) return project(first, count, f);
  for (std::size_t i = 0; i < count; ++i) map_row(row_of(rows_, head_, first + i), f + i * a_.d);
  if (a_.sum_norm) divide_rows(count, f);
  return 1;
}

void FeatureRows::divide_rows(std::size_t count, real* f) {
  sums_.fit(count);
  for (std::size_t i = 0; i < count; ++i) {
    real& sum = sums_.data()[i];
    sum = 0;
    for (std::size_t c = 0; c < a_.d; ++c) sum += f[i * a_.d + c];
    divide_row(f + i * a_.d, a_.d, sum);
  }
}

void FeatureRows::make_waves(std::size_t first, std::size_t count, real* f) {
  const std::size_t d = a_.d, half = a_.r / 2;
  sums_.fit(count + count * half);
  real* const at = sums_.data() + count;
  product({row_of(rows_, head_, first), rows_.row, false}, {drawn_, a_.drawn.row, true}, at, half,
          count, half, d);
  const Batch share(1 / std::sqrt(static_cast<real>(half)));
  for (std::size_t i = 0; i < count; ++i) {
    const real* const x = row_of(rows_, head_, first + i);
    real& length = sums_.data()[i];
    length = std::sqrt(inner(x, x, d));
    if (length == 0) length = 1;
    const std::span<const real> from(at + i * half, half);
    const Batch by(1 / length);
    real* const to = f + i * a_.r;
    kernels::map(from, std::span<real>(to, half),
                 [&](Batch one) { return xsimd::sin(one * by) * share; });
    kernels::map(from, std::span<real>(to + half, half),
                 [&](Batch one) { return xsimd::cos(one * by) * share; });
  }
}

void FeatureRows::pull_waves(std::size_t first, std::size_t count, const real* f, real* slopes,
                             Place to) const {
  const std::size_t d = a_.d, half = a_.r / 2;
  for (std::size_t i = 0; i < count; ++i) {  // of the angles, in place of the sines' slopes
    const real* const own = f + i * a_.r;
    real* const slope = slopes + i * a_.r;
    for (std::size_t c = 0; c < half; ++c)
      slope[c] = slope[c] * own[half + c] - slope[half + c] * own[c];
  }
  if (drawn_slopes_ != nullptr) {
    Buffer<real> unit(count * d);
    for (std::size_t i = 0; i < count; ++i) {
      const real* const x = row_of(rows_, head_, first + i);
      for (std::size_t c = 0; c < d; ++c) unit.data()[i * d + c] = x[c] / sums_.data()[i];
    }
    pull_drawn(slopes, half, {unit.data(), d, 0}, count, 1);
  }
  real* const out = row_of(to, head_, first);
  product({slopes, a_.r, false}, {drawn_, a_.drawn.row, false}, out, to.row, count, d, half);
  for (std::size_t i = 0; i < count; ++i) {
    const real* const x = row_of(rows_, head_, first + i);
    real* const g = out + i * to.row;
    const real by = 1 / sums_.data()[i], along = inner(g, x, d) * by * by;
    for (std::size_t c = 0; c < d; ++c) g[c] = (g[c] - along * x[c]) * by;
  }
}

// drawn slopes [rows d] += factor * slopes^T x
void FeatureRows::pull_drawn(const real* slopes, std::size_t rows, Rows x, std::size_t count,
                             real factor) const {
  Buffer<real> part(rows * a_.d);
  product({slopes, a_.r, true}, {x.data, x.row, false}, part.data(), a_.d, rows, a_.d, count);
  add_row(part.data(), factor, drawn_slopes_, rows * a_.d);
}

void FeatureRows::pull(std::size_t first, std::size_t count, const real* f, real* slopes,
                       Place to) const {
  if (a_.map == FeatureMap::fourier) return pull_waves(first, count, f, slopes, to);
  if (!a_.sum_norm || is_drawn(a_.map)) return pull_rows(first, count, f, slopes, to);
  const std::size_t d = a_.d;
  Buffer<real> whole(count * d);  // features before they were divided
  for (std::size_t i = 0; i < count; ++i) {
    const real* const own = f + i * d;
    real* const slope = slopes + i * d;
    const real sum = sums_.data()[i], mean = inner(slope, own, d);
    for (std::size_t c = 0; c < d; ++c) {
      slope[c] = sum == 0 ? real(0) : (slope[c] - mean) / sum;
      whole.data()[i * d + c] = own[c] * sum;
    }
  }
  pull_rows(first, count, whole.data(), slopes, to);
}

void FeatureRows::pull_rows(std::size_t first, std::size_t count, const real* f, real* slopes,
                            Place to) const {
  const std::size_t r = a_.r, d = a_.d;
  const auto change = [&](std::size_t size, const real* x, real* y, const auto& by) {
    kernels::map(std::span<const real>(x, size), std::span<const real>(y, size),
                 std::span<real>(y, size), by);
  };
  if (!is_drawn(a_.map)) {
    for (std::size_t i = 0; i < count; ++i) {
      const real *x = row_of(rows_, head_, first + i), *own = f + i * d;
      real* const g = slopes + i * d;
      const Batch zero(0);
      if (a_.map == FeatureMap::exponential) {
        change(d, own, g, [](Batch one, Batch slope) { return slope * one; });
      } else if (a_.map == FeatureMap::relu) {
        change(d, x, g,
               [&](Batch one, Batch slope) { return xsimd::select(one > zero, slope, zero); });
      } else if (a_.map == FeatureMap::elu_plus_one) {
        std::size_t c = 0;
        for (; c + Batch::size <= d; c += Batch::size) {
          const Batch slope = Batch::load_unaligned(g + c);
          xsimd::select(Batch::load_unaligned(x + c) > zero, slope,
                        slope * Batch::load_unaligned(own + c))
              .store_unaligned(g + c);
        }
        for (; c < d; ++c) g[c] = x[c] > 0 ? g[c] : g[c] * own[c];
      }
      std::copy_n(g, d, row_of(to, head_, first + i));
    }
    return;
  }
  const Batch least(real(1e-3)), share(1 / std::sqrt(static_cast<real>(r)));
  if (a_.map == FeatureMap::positive) {
    change(count * r, f, slopes, [](Batch one, Batch slope) { return slope * one; });
  } else {
    change(count * r, f, slopes, [&](Batch one, Batch slope) {
      return xsimd::select(one > least, slope * share, Batch(0));
    });
  }
  if (drawn_slopes_ != nullptr)
    pull_drawn(slopes, r, {row_of(rows_, head_, first), rows_.row, 0}, count, factor_);
  real* const out = row_of(to, head_, first);
  product({slopes, r, false}, {drawn_, a_.drawn.row, false}, out, to.row, count, d, r);
  for (std::size_t i = 0; i < count; ++i) {
    real sum = 0;
    if (a_.map == FeatureMap::positive && side_ == Side::key) {
      for (std::size_t c = 0; c < r; ++c) sum += slopes[i * r + c];
    }
    const real* const x = row_of(rows_, head_, first + i);
    real* const g = out + i * to.row;
    for (std::size_t c = 0; c < d; ++c) g[c] = factor_ * (g[c] - sum * factor_ * x[c]);
  }
}

}  // namespace attend::fused
