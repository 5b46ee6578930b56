// SPDX-License-Identifier: Apache-2.0
#include "fused/gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

real half_square(const Attention& a, const real* x) { return a.scale / 2 * dot(x, x, a.d); }

// A row's own part of the exponent, in units of log 2.
real of_row(const Attention& a, std::size_t head, std::size_t i) {
  return half_square(a, row_of(a.q, head, i)) * std::numbers::log2e_v<real>;
}

Attention unmasked(Attention a) {
  a.before = a.after = unbounded;
  a.block = 0;
  a.mask = {};
  return a;
}

// Of a list that is left in another order; 0 where most of it is no number or infinite.
real median(real* list, std::size_t count) {
  if (count == 0) return 0;
  real* const middle = list + count / 2;
  std::nth_element(list, middle, list + count,
                   [](real x, real y) { return x < y || (std::isnan(y) && !std::isnan(x)); });
  return std::isfinite(*middle) ? *middle : real(0);
}

Statistics in_room(const Attention& a, real* room) { return {room, room + a.heads * a.m}; }

}  // namespace

Centred::Centred(Attention& a) : rows_((a.heads * a.m + biases_of(a) + 1) * a.d + a.n) {
  const std::size_t keys =
      biases_of(a) / std::max<std::size_t>(a.n, 1);  // heads that have their own
  real *const q = rows_.data(), *const k = q + a.heads * a.m * a.d,
              *const middle = k + biases_of(a) * a.d, *const column = middle + a.d;
  for (std::size_t head = 0; head < a.heads; ++head) {
    for (std::size_t c = 0; head < keys && c < a.d; ++c) {
      for (std::size_t j = 0; j < a.n; ++j) column[j] = row_of(a.k, head, j)[c];
      middle[c] = median(column, a.n);
    }
    const auto centre = [&](const real* row, real* to) {
      for (std::size_t c = 0; c < a.d; ++c) to[c] = row[c] - middle[c];
    };
    for (std::size_t j = 0; head < keys && j < a.n; ++j)
      centre(row_of(a.k, head, j), k + (head * a.n + j) * a.d);
    for (std::size_t i = 0; i < a.m; ++i) centre(row_of(a.q, head, i), q + (head * a.m + i) * a.d);
  }
  a.q = {q, a.d, a.m * a.d};
  a.k = {k, a.d, keys == 1 ? 0 : a.n * a.d};
}

std::size_t biases_of(const Attention& a) { return (a.k.head == 0 ? 1 : a.heads) * a.n; }

void bias_by_keys(Attention& a, real* room) {
  a.bias = {room, 0, a.k.head == 0 ? 0 : a.n};
  for (std::size_t t = 0; t < biases_of(a); ++t)
    room[t] = -half_square(a, row_of(a.k, t / a.n, t % a.n));
}

void add_bias_slopes(const Attention& a, const real* slopes, Place k) {
  for (std::size_t t = 0; t < biases_of(a); ++t)
    add_row(row_of(a.k, t / a.n, t % a.n), -a.scale * slopes[t], row_of(k, t / a.n, t % a.n), a.d);
}

void attend_gaussian(Attention a, Place out) {
  a = unmasked(a);
  const Centred centred(a);
  Buffer<real> bias(biases_of(a)), kept(2 * a.heads * a.m);
  bias_by_keys(a, bias.data());
  const Statistics rows = in_room(a, kept.data());
  attend(a, out, rows);
  for (std::size_t t = 0; t < a.heads * a.m; ++t) {
    const std::size_t head = t / a.m, i = t % a.m;
    const real sum = rows.sum[t];
    const real by = sum == 0 ? real(0) : sum * std::exp2(rows.largest[t] - of_row(a, head, i));
    real* const row = row_of(out, head, i);
    for (std::size_t c = 0; c < a.dv; ++c) row[c] *= by;
  }
}

// With 1 for the sum of a row, its own part for the largest score and zeros for its context, what the dense kernel
// takes for weights of a softmax are these weights, and their slopes have no mean to lose.
void attend_gaussian_backward(Attention a, Rows out, Rows out_gradient,
                              const Gradients& gradients) {
  a = unmasked(a);
  const Centred centred(a);
  Buffer<real> bias(biases_of(a)), slopes(biases_of(a)), kept(2 * a.heads * a.m), zeros(a.dv);
  bias_by_keys(a, bias.data());
  Statistics rows = in_room(a, kept.data());
  rows.shares = false;
  std::fill_n(zeros.data(), a.dv, real(0));
  for (std::size_t t = 0; t < a.heads * a.m; ++t) {
    rows.largest[t] = of_row(a, t / a.m, t % a.m);
    rows.sum[t] = 1;
  }
  attend_backward(a, {zeros.data(), 0, 0}, rows, out_gradient,
                  {gradients.q, gradients.k, gradients.v, {slopes.data(), 0, a.bias.head}});
  add_bias_slopes(a, slopes.data(), gradients.k);
  for (std::size_t t = 0; t < a.heads * a.m; ++t) {
    const std::size_t head = t / a.m, i = t % a.m;
    const real along = dot(row_of(out, head, i), row_of(out_gradient, head, i), a.dv);
    add_row(row_of(a.q, head, i), -a.scale * along, row_of(gradients.q, head, i), a.d);
  }
}

}  // namespace attend::fused
