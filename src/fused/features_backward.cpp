// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fused/feature_sums.h"
#include "fused/features.h"
#include "fused/gate_slopes.h"

namespace attend::fused {
namespace {

// One head's share of a call: its rows' g and h, and where the gradients go.
struct Pass {
  const FeatureAttention& a;
  std::size_t head;
  RowSlopes of_rows;
  FeatureGradients to;

  void read(std::size_t first, std::size_t count, real* g, real* h) const {
    of_rows.read(first, count, g, h);
  }

  [[nodiscard]] FeatureRows learned(FeatureRows::Side side) const {
    FeatureRows made(a, head, side);
    take_drawn(made);
    return made;
  }
  void take_drawn(FeatureRows& made) const {
    if (to.drawn.data != nullptr) made.add_drawn_slopes_to(row_of(to.drawn, head, 0));
  }

  void all_keys() const;
  void causal() const;
  void causal_queries() const;
  void causal_keys() const;
};

void Pass::all_keys() const {
  const std::size_t r = a.r, dv = a.dv, block = block_rows;
  Buffer<real> features(block * r), slopes(block * r), g(block * dv), h(block);
  real *const f = features.data(), *const df = slopes.data();
  FeatureSums sums(r, dv), back(r, dv);
  FeatureRows keys = add_all_keys(a, head, block, f, sums);
  take_drawn(keys);
  FeatureRows queries = learned(FeatureRows::Side::query);
  for (std::size_t i = 0; i < a.m; i += block) {
    const std::size_t count = std::min(block, a.m - i);
    queries.make(i, count, f);
    read(i, count, g.data(), h.data());
    back.add_products(f, {g.data(), dv, 0}, count);
    product({g.data(), dv, false}, {sums.products(), dv, true}, df, r, count, r, dv);
    for (std::size_t t = 0; t < count; ++t) {
      back.add_total(f + t * r, h.data()[t]);
      add_row(sums.totals(), h.data()[t], df + t * r, r);
    }
    queries.pull(i, count, f, df, to.q);
  }
  for (std::size_t j = 0; j < a.n; j += block) {
    const std::size_t count = std::min(block, a.n - j);
    keys.make(j, count, f);
    product({row_of(a.v, head, j), a.v.row, false}, {back.products(), dv, true}, df, r, count, r,
            dv);
    for (std::size_t t = 0; t < count; ++t) add_row(back.totals(), 1, df + t * r, r);
    product({f, r, false}, {back.products(), dv, false}, row_of(to.v, head, j), to.v.row, count, dv,
            r);
    keys.pull(j, count, f, df, to.k);
  }
}

// [rows wide] = what `first` [rows count] and `second` [rows width] hold, side by side.
void beside(const real* second, std::size_t rows, std::size_t count, std::size_t width,
            real* both) {
  for (std::size_t t = 0; t < rows; ++t)
    std::copy_n(second + t * width, width, both + t * (count + width) + count);
}

// From the first chunk to the last: df_i = sum over j <= i of (g_i . v_j + h_i) f_j.
void Pass::causal_queries() const {
  constexpr std::size_t chunk = causal_chunk;
  const std::size_t r = a.r, dv = a.dv;
  Buffer<real> rows(3 * chunk * r), values(2 * chunk * dv + chunk), left(chunk * (chunk + dv)),
      right((chunk + dv) * r), room(r);
  real *const fq = rows.data(), *const fk = fq + chunk * r, *const df = fk + chunk * r;
  real *const v = values.data(), *const g = v + chunk * dv, *const h = g + chunk * dv;
  real* const total_f = room.data();
  std::fill_n(total_f, r, real(0));
  FeatureSums sums(dv, r);  // of v_j^T f_j
  FeatureRows queries = learned(FeatureRows::Side::query);
  FeatureRows keys(a, head, FeatureRows::Side::key);
  Decay decay(a, head);
  for (std::size_t i = 0; i < a.m; i += chunk) {
    const std::size_t mine = std::min(chunk, a.m - i);
    const std::size_t there = i < a.n ? std::min(chunk, a.n - i) : 0;
    const std::size_t row = there + dv;
    decay.at(i, mine);
    queries.make(i, mine, fq);
    read(i, mine, g, h);
    if (there > 0) {
      keys.make(i, there, fk);
      copy_rows(a.v, head, i, there, dv, v);
      product({g, dv, false}, {v, dv, true}, left.data(), row, mine, there, dv);
    }
    for (std::size_t t = 0; t < mine; ++t) {
      real* const pair = left.data() + t * row;
      for (std::size_t j = 0; j < there; ++j) pair[j] = j <= t ? pair[j] + h[t] : real(0);
      decay.fade_pairs(t, there, pair);
    }
    beside(g, mine, there, dv, left.data());
    for (std::size_t t = 0; t < mine; ++t) decay.from_before(t, left.data() + t * row + there, dv);
    std::copy_n(fk, there * r, right.data());
    std::copy_n(sums.products(), dv * r, right.data() + there * r);
    product({left.data(), row, false}, {right.data(), r, false}, df, r, mine, r, row);
    for (std::size_t t = 0; t < mine; ++t)
      add_row(total_f, h[t] * decay.before_of(t), df + t * r, r);
    queries.pull(i, mine, fq, df, to.q);
    for (std::size_t j = 0; j < there; ++j) decay.to_after(j, fk + j * r, r);
    sums.scale(decay.whole());
    sums.add_products(v, {fk, r, 0}, there);
    for (std::size_t c = 0; c < r; ++c) total_f[c] *= decay.whole();
    for (std::size_t j = 0; j < there; ++j) add_row(fk + j * r, 1, total_f, r);
  }
}

// From the last chunk to the first: df_j = sum over i >= j of (g_i . v_j + h_i) f_i, dv_j = sum of (f_i . f_j) g_i.
void Pass::causal_keys() const {
  constexpr std::size_t chunk = causal_chunk;
  const std::size_t r = a.r, dv = a.dv, most = std::max(r, dv);
  Buffer<real> rows(3 * chunk * r), values(2 * chunk * dv + chunk), left(chunk * (chunk + most)),
      right((chunk + most) * most);
  real *const fq = rows.data(), *const fk = fq + chunk * r, *const df = fk + chunk * r;
  real *const v = values.data(), *const g = v + chunk * dv, *const h = g + chunk * dv;
  FeatureSums sums(r, dv);  // of f_i^T g_i, and of h_i f_i
  FeatureRows queries(a, head, FeatureRows::Side::query);
  FeatureRows keys = learned(FeatureRows::Side::key);
  Decay decay(a, head);
  for (std::size_t j = 0; j < a.n; ++j) {
    if (j < a.m) continue;  // a key that no row sees
    std::fill_n(row_of(to.k, head, j), a.d, real(0));
    std::fill_n(row_of(to.v, head, j), dv, real(0));
  }
  const std::size_t chunks = (a.m + chunk - 1) / chunk;
  for (std::size_t c = chunks; c-- > 0;) {
    const std::size_t i = c * chunk, mine = std::min(chunk, a.m - i);
    const std::size_t there = i < a.n ? std::min(chunk, a.n - i) : 0;
    decay.at(i, mine);
    queries.make(i, mine, fq);
    read(i, mine, g, h);
    if (there > 0) {
      keys.make(i, there, fk);
      copy_rows(a.v, head, i, there, dv, v);
      real* pairs = left.data();
      product({fk, r, false}, {fq, r, true}, pairs, mine + r, there, mine, r);
      for (std::size_t j = 0; j < there; ++j)
        std::fill_n(pairs + j * (mine + r), std::min(j, mine), real(0));
      beside(fk, there, mine, r, pairs);
      for (std::size_t j = 0; j < there; ++j) {
        decay.fade_column(j, mine, pairs + j * (mine + r));
        decay.to_after(j, pairs + j * (mine + r) + mine, r);
      }
      std::copy_n(g, mine * dv, right.data());
      std::copy_n(sums.products(), r * dv, right.data() + mine * dv);
      product({pairs, mine + r, false}, {right.data(), dv, false}, row_of(to.v, head, i), to.v.row,
              there, dv, mine + r);
      product({v, dv, false}, {g, dv, true}, pairs, mine + dv, there, mine, dv);
      for (std::size_t j = 0; j < there; ++j) {
        real* const pair = pairs + j * (mine + dv);
        for (std::size_t t = 0; t < mine; ++t) pair[t] = t >= j ? pair[t] + h[t] : real(0);
        decay.fade_column(j, mine, pair);
      }
      beside(v, there, mine, dv, pairs);
      for (std::size_t j = 0; j < there; ++j) decay.to_after(j, pairs + j * (mine + dv) + mine, dv);
      std::copy_n(fq, mine * r, right.data());
      for (std::size_t x = 0; x < r; ++x) {
        for (std::size_t y = 0; y < dv; ++y)
          right.data()[(mine + y) * r + x] = sums.products()[x * dv + y];
      }
      product({pairs, mine + dv, false}, {right.data(), r, false}, df, r, there, r, mine + dv);
      for (std::size_t j = 0; j < there; ++j) add_row(sums.totals(), decay.kept(j), df + j * r, r);
      keys.pull(i, there, fk, df, to.k);
    }
    for (std::size_t t = 0; t < mine; ++t) decay.from_before(t, fq + t * r, r);
    sums.scale(decay.whole());
    sums.add_products(fq, {g, dv, 0}, mine);
    for (std::size_t t = 0; t < mine; ++t) sums.add_total(fq + t * r, h[t]);
  }
}

std::size_t drawn_rows(const FeatureAttention& a) {
  return a.map == FeatureMap::fourier ? a.r / 2 : a.r;
}

void Pass::causal() const {
  causal_queries();
  causal_keys();
}

}  // namespace

void attend_by_features_backward(const FeatureAttention& a, Rows out, const real* total,
                                 Rows out_gradient, FeatureGradients gradients) {
  for (std::size_t h = 0; h < a.heads; ++h) {
    if (gradients.drawn.data != nullptr && (h == 0 || gradients.drawn.head != 0))
      std::fill_n(row_of(gradients.drawn, h, 0), drawn_rows(a) * a.d, real(0));
    const Pass pass{a, h, {a, h, out, total, out_gradient}, gradients};
    if (a.causal) {
      pass.causal();
    } else {
      pass.all_keys();
    }
    if (gradients.gates == nullptr) continue;
    real* const gates = gradients.gates + h * a.gates_head;
    if (h == 0 || a.gates_head != 0) std::fill_n(gates, a.m, real(0));
    add_gate_slopes(pass.of_rows, gates);
  }
}

}  // namespace attend::fused
