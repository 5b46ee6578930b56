// SPDX-License-Identifier: Apache-2.0
#include "fused/features.h"

#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

// What a row is divided by, once its sum is known.
void divide(const FeatureAttention& a, real sum, real* out, real* total) {
  if (!a.divides) return;
  const real by = kept_sum(a, sum);
  divide_row(out, a.dv, by);
  if (total != nullptr) *total = by;
}

void all_keys(const FeatureAttention& a, std::size_t head, Place out, real* total) {
  FeatureSums sums(a.r, a.dv);
  Buffer<real> room(block_rows * a.r);
  add_all_keys(a, head, block_rows, room.data(), sums);
  FeatureRows queries(a, head, FeatureRows::Side::query);
  for (std::size_t i = 0; i < a.m; i += block_rows) {
    const std::size_t count = std::min(block_rows, a.m - i);
    real* const f = room.data();
    queries.make(i, count, f);
    product({f, a.r, false}, {sums.products(), a.dv, false}, row_of(out, head, i), out.row, count,
            a.dv, a.r);
    for (std::size_t t = 0; t < count; ++t) {
      divide(a, dot(f + t * a.r, sums.totals(), a.r), row_of(out, head, i + t),
             total == nullptr ? nullptr : total + i + t);
    }
  }
}

// A chunk of rows at a time: its own pairs, and what the sums before it give.
void causal(const FeatureAttention& a, std::size_t head, Place out, real* total) {
  constexpr std::size_t chunk = causal_chunk;
  const std::size_t r = a.r, dv = a.dv, wide = chunk + r;
  FeatureSums sums(r, dv);
  // Pairs and queries' features side by side over values and sums on top of each other: one product makes both.
  Buffer<real> left(chunk * wide), right((chunk + r) * dv), rows(2 * chunk * r);
  real *const fq = rows.data(), *const fk = fq + chunk * r, *const pairs = left.data();
  FeatureRows queries(a, head, FeatureRows::Side::query), keys(a, head, FeatureRows::Side::key);
  Decay decay(a, head);
  for (std::size_t i = 0; i < a.m; i += chunk) {
    const std::size_t mine = std::min(chunk, a.m - i);
    const std::size_t there = i < a.n ? std::min(chunk, a.n - i) : 0;
    const std::size_t row = there + r;
    decay.at(i, mine);
    queries.make(i, mine, fq);
    if (there > 0) {
      keys.make(i, there, fk);
      product({fq, r, false}, {fk, r, true}, pairs, row, mine, there, r);
      copy_rows(a.v, head, i, there, dv, right.data());
    }
    std::copy_n(sums.products(), r * dv, right.data() + there * dv);
    for (std::size_t t = 0; t < mine; ++t) {
      real* const pair = pairs + t * row;
      decay.fade_pairs(t, there, pair);
      for (std::size_t j = t + 1; j < there; ++j) pair[j] = 0;
      decay.from_before(t, fq + t * r, r);
      std::copy_n(fq + t * r, r, pair + there);
    }
    product({pairs, row, false}, {right.data(), dv, false}, row_of(out, head, i), out.row, mine, dv,
            row);
    for (std::size_t t = 0; t < mine && a.divides; ++t) {
      real sum = dot(fq + t * r, sums.totals(), r);
      for (std::size_t j = 0; j < std::min(t + 1, there); ++j) sum += pairs[t * row + j];
      divide(a, sum, row_of(out, head, i + t), total == nullptr ? nullptr : total + i + t);
    }
    if (i + chunk >= a.m) break;
    sums.scale(decay.whole());
    for (std::size_t j = 0; j < there; ++j) decay.to_after(j, fk + j * r, r);
    sums.add(fk, {right.data(), dv, 0}, there);
  }
}

}  // namespace

void attend_by_features(const FeatureAttention& a, Place out, real* total) {
  for (std::size_t h = 0; h < a.heads; ++h) {
    real* const sums = total == nullptr ? nullptr : total + h * a.m;
    (a.causal ? causal : all_keys)(a, h, out, sums);
  }
}

}  // namespace attend::fused
