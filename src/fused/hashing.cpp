// SPDX-License-Identifier: Apache-2.0
#include "fused/hashing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

using kernels::Batch;

// The least and the largest of a row.
std::pair<real, real> reach(const real* x, std::size_t count) {
  Batch low(-none), high(none);
  std::size_t c = 0;
  for (; c + Batch::size <= count; c += Batch::size) {
    const Batch one = Batch::load_unaligned(x + c);
    low = xsimd::min(low, one);
    high = xsimd::max(high, one);
  }
  real least = xsimd::reduce_min(low), most = xsimd::reduce_max(high);
  for (; c < count; ++c) {
    least = std::min(least, x[c]);
    most = std::max(most, x[c]);
  }
  return {least, most};
}

// The first place where it stands; 0 where it does not, as in a row that is not of numbers.
std::size_t place_of(real value, const real* x, std::size_t count) {
  const Batch sought(value);
  std::size_t c = 0;
  while (c + Batch::size <= count && !xsimd::any(Batch::load_unaligned(x + c) == sought))
    c += Batch::size;
  while (c < count && x[c] != value) ++c;
  return c == count ? 0 : c;
}

// argmax [x R ; -x R] of some rows, the lowest on ties.
void find_buckets(const HashAttention& a, std::size_t head, std::size_t round, std::size_t first,
                  std::size_t count, real* products, std::uint32_t* to) {
  const std::size_t half = a.buckets / 2;
  const real* const planes = a.planes + head * a.planes_head + round * a.d * half;
  product({row_of(a.q, head, first), a.q.row, false}, {planes, half, false}, products, half, count,
          half, a.d);
  for (std::size_t t = 0; t < count; ++t) {
    const real* const x = products + t * half;
    const auto [least, most] = reach(x, half);
    const bool above = most >= -least;
    to[t] = static_cast<std::uint32_t>(above ? place_of(most, x, half)
                                             : half + place_of(least, x, half));
  }
}

// The patches of all rounds.
class Chunks : public Patches {
 public:
  Chunks(const HashAttention& a, const Sorted& sorted) : a_(a), sorted_(sorted) {}

  void each(std::size_t head, PatchVisitor& visitor) const override {
    Buffer<real> mask(2 * a_.chunk * a_.chunk);
    for (std::size_t round = 0; round < a_.rounds; ++round) {
      const std::uint32_t* const order = sorted_.order(head, round);
      const std::uint32_t* const bucket = sorted_.buckets(head, round);
      for (std::size_t i = 0; i < a_.n; i += a_.chunk) {
        const std::size_t rows = std::min(a_.chunk, a_.n - i),
                          first = i < a_.chunk ? 0 : i - a_.chunk;
        const std::size_t keys = i + rows - first;
        for (std::size_t t = 0; t < rows; ++t)
          see(order + first, bucket + first, keys, i - first + t, mask.data() + t * keys);
        visitor.visit({.queries = {0, rows, 1, order + i},
                       .keys = {0, keys, 1, order + first},
                       .mask = mask.data()});
      }
    }
  }

 private:
  void see(const std::uint32_t* order, const std::uint32_t* bucket, std::size_t keys,
           std::size_t own, real* mask) const {
    // Of the keys, those of one bucket lie side by side.
    const auto first =
        static_cast<std::size_t>(std::lower_bound(bucket, bucket + keys, bucket[own]) - bucket);
    const auto last =
        static_cast<std::size_t>(std::upper_bound(bucket, bucket + keys, bucket[own]) - bucket);
    std::fill_n(mask, keys, real(0));
    bool meets = false;
    for (std::size_t s = first; s < last; ++s) {
      const bool seen = s != own && (!a_.causal || order[s] < order[own]);
      mask[s] = seen ? real(1) : real(0);
      meets = meets || seen;
    }
    if (!meets) mask[own] = 1;
  }

  const HashAttention& a_;
  const Sorted& sorted_;
};

// The call as the patches take it; `lengths` [heads n] gets those of the rows, 1 for a row of zeros.
Attention with_lengths(const HashAttention& a, real* lengths) {
  Attention whole;
  whole.heads = a.heads;
  whole.m = whole.n = a.n;
  whole.d = a.d;
  whole.dv = a.dv;
  whole.q = whole.k = a.q;
  whole.v = a.v;
  whole.scale = a.scale;
  for (std::size_t t = 0; t < a.heads * a.n; ++t) {
    const real* const x = row_of(a.q, t / a.n, t % a.n);
    lengths[t] = std::sqrt(dot(x, x, a.d));
    if (lengths[t] == 0) lengths[t] = 1;
  }
  return whole;
}

}  // namespace

Sorted::Sorted(const HashAttention& a)
    : n_(a.n),
      rounds_(a.rounds),
      order_(a.heads * a.rounds * a.n),
      bucket_(a.heads * a.rounds * a.n) {
  constexpr std::size_t block = 128;
  Buffer<real> products(block * a.buckets / 2);
  Buffer<std::uint32_t> found(n_), places(a.buckets + 1);
  std::uint32_t* const next = places.data();
  for (std::size_t h = 0; h < a.heads; ++h) {
    for (std::size_t round = 0; round < rounds_; ++round) {
      for (std::size_t i = 0; i < n_; i += block)
        find_buckets(a, h, round, i, std::min(block, n_ - i), products.data(), found.data() + i);
      std::fill_n(next, a.buckets + 1, 0);
      for (std::size_t i = 0; i < n_; ++i) ++next[found.data()[i] + 1];
      for (std::size_t b = 1; b <= a.buckets; ++b) next[b] += next[b - 1];
      const std::size_t start = (h * rounds_ + round) * n_;
      for (std::uint32_t i = 0; i < n_; ++i) {
        const std::size_t to = start + next[found.data()[i]]++;
        order_.data()[to] = i;
        bucket_.data()[to] = found.data()[i];
      }
    }
  }
}

void attend_by_hashing(const HashAttention& a, Place out, Statistics statistics) {
  Buffer<real> lengths(a.heads * a.n);
  const Attention whole = with_lengths(a, lengths.data());
  const Sorted sorted(a);
  attend_patches(whole, Chunks(a, sorted), out, statistics, lengths.data());
}

void attend_by_hashing_backward(const HashAttention& a, Rows out, Statistics statistics,
                                Rows out_gradient, Place q, Place v) {
  Buffer<real> lengths(a.heads * a.n);
  const Attention whole = with_lengths(a, lengths.data());
  const Sorted sorted(a);
  attend_patches_backward(whole, Chunks(a, sorted), out, statistics, out_gradient, {q, q, v, {}},
                          nullptr, lengths.data());
}

}  // namespace attend::fused
