// SPDX-License-Identifier: Apache-2.0
#include "fused/delta.h"

#include <algorithm>
#include <utility>

#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

constexpr std::size_t delta_chunk = 32;

struct Operand : kernels::Operand {
  Operand(Rows x) : kernels::Operand{x.data, x.row, false} {}
  Operand(Rows x, bool turned) : kernels::Operand{x.data, x.row, turned} {}
};

// to [m n] (+)= sign * a b, `room` [m n] holding the product.
void add_product(Operand a, Operand b, Place to, std::size_t m, std::size_t n, std::size_t k,
                 real sign, real* room) {
  product(a, b, room, n, m, n, k);
  for (std::size_t i = 0; i < m; ++i) add_row(room + i * n, sign, to.data + i * to.row, n);
}

void dense(Operand a, Operand b, real* to, std::size_t m, std::size_t n, std::size_t k) {
  product(a, b, to, n, m, n, k);
}

FeatureAttention exact(FeatureAttention a) {
  a.divides = false;
  a.causal = true;
  return a;
}

// The numbers of one chunk of one head.
class Chunk {
 public:
  Chunk(const DeltaRule& rule, const FeatureAttention& a, std::size_t head)
      : a_(a),
        beta_(rule.beta == nullptr ? nullptr : rule.beta + head * rule.beta_head),
        head_(head),
        queries_(a, head, FeatureRows::Side::query),
        keys_made_(a, head, FeatureRows::Side::key) {
    const std::size_t wide = std::max({a.r, a.dv, delta_chunk});
    memory_.fit(2 * delta_chunk * (delta_chunk + a.dv + a.r) + wide * wide);
    real* next = memory_.data();
    const auto take = [&](std::size_t size) { return std::exchange(next, next + size); };
    pairs_ = take(delta_chunk * delta_chunk);
    keys_ = take(delta_chunk * delta_chunk);
    before_ = take(delta_chunk * a.dv);
    u_ = take(delta_chunk * a.dv);
    fq_ = take(delta_chunk * a.r);
    fk_ = take(delta_chunk * a.r);
    room_ = next;
    q_ = {fq_, a.r, 0};
    k_ = {fk_, a.r, 0};
  }

  void at(std::size_t first) {
    first_ = first;
    count_ = std::min(delta_chunk, a_.n - first);
    queries_.make(first, count_, fq_);
    keys_made_.make(first, count_, fk_);
    v_ = {row_of(a_.v, head_, first), a_.v.row, 0};
  }

  // u of the chunk, W [r dv] being what stood before it.
  void find(const real* W) {
    const Rows w{W, a_.dv, 0};
    dense(k_, {k_, true}, keys_, count_, count_, a_.r);  // f_t . f_s
    dense(k_, w, before_, count_, a_.dv, a_.r);
    for (std::size_t t = 0; t < count_; ++t) {
      real *const x = before_ + t * a_.dv, *const u = u_ + t * a_.dv;
      const real* const v = v_.data + t * v_.row;
      for (std::size_t c = 0; c < a_.dv; ++c) x[c] = v[c] - x[c];
      for (std::size_t s = 0; s < t; ++s) add_row(u_ + s * a_.dv, -keys_[t * count_ + s], x, a_.dv);
      const real by = rate(t);
      for (std::size_t c = 0; c < a_.dv; ++c) u[c] = by * x[c];
    }
  }

  void advance(real* W) {
    add_product({k_, true}, u(), {W, a_.dv, 0}, a_.r, a_.dv, count_, 1, room_);
  }

  // g_t . f_s for s <= t, 0 elsewhere.
  void find_pairs() {
    dense(q_, {k_, true}, pairs_, count_, count_, a_.r);
    cut(pairs_);
  }

  void read(const real* W, Place out) {
    find_pairs();
    dense(q_, Rows{W, a_.dv, 0}, before_, count_, a_.dv, a_.r);
    dense(Rows{pairs_, count_, 0}, u(), room_, count_, a_.dv, count_);
    for (std::size_t t = 0; t < count_; ++t) {
      real* const to = row_of(out, head_, first_ + t);
      std::copy_n(before_ + t * a_.dv, a_.dv, to);
      add_row(room_ + t * a_.dv, 1, to, a_.dv);
    }
  }

  // dW [r dv], the slope of W after the chunk, becomes that before it.
  void back(const real* W, Rows slope, real* dW, const DeltaGradients& to);

 private:
  [[nodiscard]] real rate(std::size_t t) const {
    return beta_ == nullptr ? real(1) : beta_[first_ + t];
  }
  Rows u() const { return {u_, a_.dv, 0}; }
  void cut(real* square) const {
    for (std::size_t t = 0; t < count_; ++t)
      std::fill_n(square + t * count_ + t + 1, count_ - t - 1, real(0));
  }

  const FeatureAttention& a_;
  const real* beta_;
  std::size_t head_, first_ = 0, count_ = 0;
  FeatureRows queries_, keys_made_;
  Buffer<real> memory_;
  real *pairs_, *keys_, *before_, *u_, *fq_, *fk_, *room_;
  Rows q_, k_, v_;
};

void Chunk::back(const real* W, Rows slope, real* dW, const DeltaGradients& to) {
  const std::size_t r = a_.r, dv = a_.dv, count = count_;
  const auto place = [&](const Place& x) { return Place{row_of(x, head_, first_), x.row, 0}; };
  const Rows dy{row_of(slope, head_, first_), slope.row, 0}, w{W, dv, 0}, dw{dW, dv, 0};
  const Place values = place(to.v);
  Buffer<real> own(delta_chunk * (delta_chunk + dv + 2 * r));
  real *const square = own.data(), *const du = square + delta_chunk * delta_chunk;
  const Place dq{du + delta_chunk * dv, r, 0}, dk{dq.data + delta_chunk * r, r, 0};
  const Rows slopes{square, count, 0};
  find(W);
  find_pairs();
  // y = g W + P u
  product(Operand(dy), Operand(w, true), dq.data, dq.row, count, r, dv);
  dense(dy, {u(), true}, square, count, count, dv);
  cut(square);
  add_product(slopes, k_, dq, count, r, count, 1, room_);
  product(Operand(slopes, true), Operand(q_), dk.data, dk.row, count, r, count);
  dense({Rows{pairs_, count, 0}, true}, dy, du, count, dv, count);
  // W' = W + f^T u
  add_product(u(), {dw, true}, dk, count, r, dv, 1, room_);
  add_product(k_, dw, {du, dv, 0}, count, dv, r, 1, room_);
  add_product({q_, true}, dy, {dW, dv, 0}, r, dv, count, 1, room_);
  // u_t = beta_t (v_t - f_t W - sum over s < t of (f_t . f_s) u_s): du becomes the slope of the bracket.
  for (std::size_t t = count; t-- > 0;) {
    real* const own_slope = du + t * dv;
    if (to.beta != nullptr)
      to.beta[head_ * a_.n + first_ + t] = dot(own_slope, before_ + t * dv, dv);
    const real by = rate(t);
    for (std::size_t c = 0; c < dv; ++c) own_slope[c] *= by;
    for (std::size_t s = 0; s < t; ++s) add_row(own_slope, -keys_[t * count + s], du + s * dv, dv);
    std::copy_n(own_slope, dv, values.data + t * values.row);
  }
  const Rows e{du, dv, 0};
  add_product(e, {w, true}, dk, count, r, dv, -1, room_);
  add_product({k_, true}, e, {dW, dv, 0}, r, dv, count, -1, room_);
  dense(e, {u(), true}, square, count, count, dv);
  for (std::size_t t = 0; t < count; ++t) std::fill_n(square + t * count + t, count - t, real(0));
  add_product(slopes, k_, dk, count, r, count, -1, room_);
  add_product({slopes, true}, k_, dk, count, r, count, -1, room_);
  queries_.pull(first_, count, fq_, dq.data, to.q);
  keys_made_.pull(first_, count, fk_, dk.data, to.k);
}

}  // namespace

void attend_by_delta(const DeltaRule& rule, Place out) {
  const FeatureAttention a = exact(rule.a);
  Buffer<real> state(a.r * a.dv);
  for (std::size_t h = 0; h < a.heads; ++h) {
    Chunk one(rule, a, h);
    std::fill_n(state.data(), a.r * a.dv, real(0));
    for (std::size_t i = 0; i < a.n; i += delta_chunk) {
      one.at(i);
      one.find(state.data());
      one.read(state.data(), out);
      one.advance(state.data());
    }
  }
}

void attend_by_delta_backward(const DeltaRule& rule, Rows out_gradient, DeltaGradients gradients) {
  const FeatureAttention a = exact(rule.a);
  const std::size_t size = a.r * a.dv, chunks = (a.n + delta_chunk - 1) / delta_chunk;
  Buffer<real> states(chunks * size), slope(size);
  for (std::size_t h = 0; h < a.heads; ++h) {
    Chunk one(rule, a, h);
    std::fill_n(states.data(), std::min(chunks, std::size_t{1}) * size, real(0));
    for (std::size_t c = 0; c + 1 < chunks; ++c) {
      real* const next = states.data() + (c + 1) * size;
      one.at(c * delta_chunk);
      one.find(next - size);
      std::copy_n(next - size, size, next);
      one.advance(next);
    }
    std::fill_n(slope.data(), size, real(0));
    for (std::size_t c = chunks; c-- > 0;) {
      one.at(c * delta_chunk);
      one.back(states.data() + c * size, out_gradient, slope.data(), gradients);
    }
  }
}

}  // namespace attend::fused
