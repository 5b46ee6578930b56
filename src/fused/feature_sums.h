// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "fused/buffer.h"
#include "fused/feature_rows.h"
#include "fused/product.h"
#include "fused/scores.h"
#include "kernels/vector.h"

// What the passes of attention by features share.
namespace attend::fused {

inline constexpr std::size_t causal_chunk = 64;

inline real dot(const real* x, const real* y, std::size_t count) {
  using kernels::Batch;
  Batch sum(0);
  std::size_t c = 0;
  for (; c + Batch::size <= count; c += Batch::size)
    sum = xsimd::fma(Batch::load_unaligned(x + c), Batch::load_unaligned(y + c), sum);
  real total = xsimd::reduce_add(sum);
  for (; c < count; ++c) total += x[c] * y[c];
  return total;
}

// y += factor x
inline void add_row(const real* x, real factor, real* y, std::size_t count) {
  kernels::map(
      std::span<const real>(x, count), std::span<const real>(y, count), std::span<real>(y, count),
      [by = kernels::Batch(factor)](auto one, auto to) { return xsimd::fma(by, one, to); });
}

inline void divide_row(real* x, std::size_t count, real sum) {
  const real share = sum == 0 ? real(0) : 1 / sum;
  kernels::map(std::span<const real>(x, count), std::span<real>(x, count),
               [by = kernels::Batch(share)](auto one) { return one * by; });
}

inline void copy_rows(Rows x, std::size_t head, std::size_t first, std::size_t count,
                      std::size_t width, real* to) {
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(row_of(x, head, first + i), width, to + i * width);
}

// Sums of sines and cosines may come to nothing.
inline constexpr real least_sum = real(1e-6);
inline real kept_sum(const FeatureAttention& a, real sum) {
  if (a.map != FeatureMap::fourier || std::abs(sum) > least_sum) return sum;
  return sum < 0 ? -least_sum : least_sum;
}

// How the gates of a chunk fade what came before: the weight of token j at t is (1 - g_j) g_{j+1} .. g_t, that of
// the state before the chunk g_first .. g_t. Without gates nothing is changed.
class Decay {
 public:
  Decay(const FeatureAttention& a, std::size_t head)
      : gates_(a.gates == nullptr ? nullptr : a.gates + head * a.gates_head),
        room_(gates_ == nullptr ? 0 : causal_chunk * (causal_chunk + 1)) {}

  void at(std::size_t first, std::size_t count) {
    if (gates_ == nullptr) return;
    last_ = count - 1;
    for (std::size_t t = 0; t < count; ++t) {
      const real g = gates_[first + t];
      if (t > 0) times(g, &weight(t, 0), t, &weight(t - 1, 0));
      weight(t, t) = 1 - g;
      before(t) = g * (t == 0 ? real(1) : before(t - 1));
    }
  }
  void fade_pairs(std::size_t t, std::size_t count, real* row) {
    if (gates_ == nullptr) return;
    const real* const by = &weight(t, 0);
    for (std::size_t j = 0; j < std::min(t + 1, count); ++j) row[j] *= by[j];
  }
  // The same where a row is a key, and t runs along it.
  void fade_column(std::size_t j, std::size_t count, real* row) {
    for (std::size_t t = j; t < count && gates_ != nullptr; ++t) row[t] *= weight(t, j);
  }
  void from_before(std::size_t t, real* row, std::size_t count) {
    if (gates_ != nullptr) times(before_of(t), row, count, row);
  }
  void to_after(std::size_t j, real* row, std::size_t count) {
    if (gates_ != nullptr) times(kept(j), row, count, row);
  }
  [[nodiscard]] real before_of(std::size_t t) { return gates_ == nullptr ? real(1) : before(t); }
  [[nodiscard]] real kept(std::size_t j) { return gates_ == nullptr ? real(1) : weight(last_, j); }
  [[nodiscard]] real whole() { return before_of(last_); }

 private:
  real& weight(std::size_t t, std::size_t j) { return room_.data()[t * causal_chunk + j]; }
  real& before(std::size_t t) { return room_.data()[causal_chunk * causal_chunk + t]; }
  static void times(real by, real* row, std::size_t count, const real* from) {
    for (std::size_t c = 0; c < count; ++c) row[c] = by * from[c];
  }

  const real* gates_;
  Buffer<real> room_;
  std::size_t last_ = 0;
};

// sum_j f_j^T x_j [r c] and sum_j f_j [r].
class FeatureSums {
 public:
  FeatureSums(std::size_t r, std::size_t c) : r_(r), c_(c), room_(2 * r * c + r) {
    std::fill_n(room_.data(), 2 * r * c + r, real(0));
  }

  void add(const real* f, Rows x, std::size_t count) {
    add_products(f, x, count);
    for (std::size_t j = 0; j < count; ++j) add_total(f + j * r_, 1);
  }
  void add_total(const real* f, real factor) { add_row(f, factor, totals(), r_); }
  void add_products(const real* f, Rows x, std::size_t count) {
    if (count == 0) return;
    real* const part = products() + r_ * c_ + r_;
    product({f, r_, true}, {x.data, x.row, false}, part, c_, r_, c_, count);
    add_row(part, 1, products(), r_ * c_);
  }
  void scale(real factor) {
    if (factor == 1) return;
    for (std::size_t i = 0; i < r_ * c_ + r_; ++i) products()[i] *= factor;
  }
  real* products() { return room_.data(); }
  real* totals() { return products() + r_ * c_; }

 private:
  std::size_t r_, c_;
  Buffer<real> room_;  // products, totals, and room for a block's products
};

// The sums over all keys of a head, a block of rows at a time; `f` has room for the features of a block.
inline FeatureRows add_all_keys(const FeatureAttention& a, std::size_t head, std::size_t block,
                                real* f, FeatureSums& sums) {
  FeatureRows keys(a, head, FeatureRows::Side::key);
  for (std::size_t j = 0; j < a.n; j += block) {
    const std::size_t count = std::min(block, a.n - j);
    sums.scale(keys.make(j, count, f));
    sums.add(f, {row_of(a.v, head, j), a.v.row, 0}, count);
  }
  return keys;
}

}  // namespace attend::fused
