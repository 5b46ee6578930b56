// SPDX-License-Identifier: Apache-2.0
#include "fused/gate_slopes.h"

#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

// With S_t = g_t S_{t-1} + (1 - g_t) f_t^T v_t, and the same of features alone, the slope of g_t is that of S_t
// times S_{t-1} - f_t^T v_t. Within a chunk both are what the chunk's tokens give and what its two ends hand in: the
// state before it, kept on the way there, and the slope of the state behind it, on the way back. Nothing is divided by
// a gate.
class GateSlopes {
 public:
  explicit GateSlopes(const RowSlopes& rows)
      : a_(rows.a),
        head_(rows.head),
        rows_(rows),
        chunks_((a_.m + causal_chunk - 1) / causal_chunk),
        before_(chunks_ * size()),
        room_(2 * causal_chunk * a_.r + 3 * causal_chunk * a_.dv),
        small_(2 * causal_chunk * causal_chunk + 5 * causal_chunk),
        queries_(a_, head_, FeatureRows::Side::query),
        keys_(a_, head_, FeatureRows::Side::key),
        decay_(a_, head_) {}

  void run(real* to) {
    keep_states();
    FeatureSums behind(a_.r, a_.dv);
    for (std::size_t c = chunks_; c-- > 0;) back(c, behind, to);
  }

 private:
  [[nodiscard]] std::size_t size() const { return a_.r * a_.dv + a_.r; }
  real* fq() { return room_.data(); }
  real* fk() { return fq() + causal_chunk * a_.r; }
  real* v() { return fk() + causal_chunk * a_.r; }
  real* g() { return v() + causal_chunk * a_.dv; }
  real* mixed() { return g() + causal_chunk * a_.dv; }  // [chunk dv]
  [[nodiscard]] real gate(std::size_t t) const { return a_.gates[head_ * a_.gates_head + t]; }

  void keep_states() {
    FeatureSums sums(a_.r, a_.dv);
    for (std::size_t c = 0; c < chunks_; ++c) {
      const std::size_t first = c * causal_chunk, count = std::min(causal_chunk, a_.m - first);
      std::copy_n(sums.products(), size(), before_.data() + c * size());
      decay_.at(first, count);
      keys_.make(first, count, fk());
      for (std::size_t j = 0; j < count; ++j) decay_.to_after(j, fk() + j * a_.r, a_.r);
      sums.scale(decay_.whole());
      sums.add(fk(), {row_of(a_.v, head_, first), a_.v.row, 0}, count);
    }
  }

  // x_t = f_t S y_t + f_t z h_t of some rows, for a state S [r dv] and z [r].
  void through(const real* f, const real* state, const real* y, const real* h, std::size_t count,
               real* x) {
    const std::size_t r = a_.r, dv = a_.dv;
    product({f, r, false}, {state, dv, false}, mixed(), dv, count, dv, r);
    for (std::size_t t = 0; t < count; ++t)
      x[t] = dot(mixed() + t * dv, y + t * dv, dv) +
             (h == nullptr ? real(1) : h[t]) * dot(f + t * r, state + r * dv, r);
  }

  void back(std::size_t c, FeatureSums& behind, real* to) {
    const std::size_t first = c * causal_chunk, count = std::min(causal_chunk, a_.m - first),
                      r = a_.r, dv = a_.dv;
    real *const pair = small_.data(), *const value = pair + causal_chunk * causal_chunk,
                *const past = value + causal_chunk * causal_chunk,
                *const h = past + 2 * causal_chunk, *const from_before = h + causal_chunk,
                *const to_behind = from_before + causal_chunk;
    const real* const state = before_.data() + c * size();
    decay_.at(first, count);
    queries_.make(first, count, fq());
    keys_.make(first, count, fk());
    copy_rows(a_.v, head_, first, count, dv, v());
    rows_.read(first, count, g(), h);
    // pair[s, j] = (f_s . f_j) (g_s . v_j + h_s), of query s and key j
    product({fq(), r, false}, {fk(), r, true}, pair, count, count, count, r);
    product({g(), dv, false}, {v(), dv, true}, value, count, count, count, dv);
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t j = 0; j < count; ++j) pair[s * count + j] *= value[s * count + j] + h[s];
    }
    through(fq(), state, g(), h, count, from_before);
    through(fk(), behind.products(), v(), nullptr, count, to_behind);
    const real across = dot(state, behind.products(), size());
    slopes(count, pair, past, from_before, to_behind, across, first, to);
    for (std::size_t t = 0; t < count; ++t) decay_.from_before(t, fq() + t * r, r);
    behind.scale(decay_.whole());
    behind.add_products(fq(), {g(), dv, 0}, count);
    for (std::size_t t = 0; t < count; ++t) behind.add_total(fq() + t * r, h[t]);
  }

  // `past`[s] is what the tokens before t in the chunk give query s; they fade as t goes on.
  void slopes(std::size_t count, const real* pair, real* past, const real* from_before,
              const real* to_behind, real across, std::size_t first, real* to) {
    real* const later = past + causal_chunk;
    std::fill_n(past, count, real(0));
    // What is left of the state behind from t on: the product of the gates after t.
    later[count - 1] = 1;
    for (std::size_t t = count - 1; t > 0; --t) later[t - 1] = later[t] * gate(first + t);
    real start = 1, behind = 0;  // of the state before; of keys before t, to the state behind
    for (std::size_t t = 0; t < count; ++t) {
      const real g = gate(first + t);
      real found = later[t] * (start * across + behind - to_behind[t]);
      real faded = 1;  // from t to s
      for (std::size_t s = t; s < count; ++s) {
        if (s > t) faded *= gate(first + s);
        found += faded * (start * from_before[s] + past[s] - pair[s * count + t]);
      }
      to[first + t] += found;
      for (std::size_t s = t + 1; s < count; ++s)
        past[s] = g * past[s] + (1 - g) * pair[s * count + t];
      behind = g * behind + (1 - g) * to_behind[t];
      start *= g;
    }
  }

  const FeatureAttention& a_;
  std::size_t head_;
  const RowSlopes& rows_;
  std::size_t chunks_;
  Buffer<real> before_, room_, small_;
  FeatureRows queries_, keys_;
  Decay decay_;
};

}  // namespace

void RowSlopes::read(std::size_t first, std::size_t count, real* g, real* h) const {
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t i = first + t;
    const real sum = a.divides ? total[head * a.m + i] : real(1);
    const real share = sum == 0 ? real(0) : 1 / sum;
    const real* const from = row_of(slope, head, i);
    for (std::size_t c = 0; c < a.dv; ++c) g[t * a.dv + c] = from[c] * share;
    // A sum that was moved away from 0 stays where it is.
    const bool moves = a.divides && !(a.map == FeatureMap::fourier && std::abs(sum) <= least_sum);
    h[t] = moves ? -dot(row_of(out, head, i), g + t * a.dv, a.dv) : real(0);
  }
}

void add_gate_slopes(const RowSlopes& rows, real* to) { GateSlopes(rows).run(to); }

}  // namespace attend::fused
