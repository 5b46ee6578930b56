// SPDX-License-Identifier: Apache-2.0
#include "fused/attention.h"

#include <algorithm>
#include <cmath>

namespace attend::fused {
namespace {

constexpr real none = -std::numeric_limits<real>::infinity();
constexpr real log2_e = real(1.44269504088896340736);

struct Keys {
  std::size_t first;
  std::size_t last;
};

Keys keys_of(const Attention& a, std::size_t i) {
  const auto n = static_cast<std::ptrdiff_t>(a.n);
  const auto at = static_cast<std::ptrdiff_t>(i) + a.offset;
  const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(at - a.before, 0, n);
  const std::ptrdiff_t last = std::clamp<std::ptrdiff_t>(at + a.after + 1, first, n);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

const real* row_of(Rows x, std::size_t head, std::size_t i) {
  return x.data + head * x.head + i * x.row;
}

real* row_of(Place x, std::size_t head, std::size_t i) {
  return x.data + head * x.head + i * x.row;
}

real dot(const real* x, const real* y, std::size_t count) {
  real sum = 0;
  for (std::size_t p = 0; p < count; ++p) sum += x[p] * y[p];
  return sum;
}

// Score times log2 e, -infinity where the mask excludes.
real score(const Attention& a, std::size_t head, std::size_t i, std::size_t j) {
  if (a.mask.data != nullptr && row_of(a.mask, head, i)[j] == 0) return none;
  real s = dot(row_of(a.q, head, i), row_of(a.k, head, j), a.d) * (a.scale * log2_e);
  if (a.bias.data != nullptr) s += row_of(a.bias, head, i)[j] * log2_e;
  return s;
}

real weight(real s, real largest) { return s == none ? real(0) : std::exp2(s - largest); }

Range clip(const Attention& a, Range range) {
  range.last_head = std::min(range.last_head, a.heads);
  range.last_row = std::min(range.last_row, a.m);
  return range;
}

template <class Body>
void each_row(const Attention& a, Range range, Body body) {
  range = clip(a, range);
  for (std::size_t h = range.first_head; h < range.last_head; ++h) {
    for (std::size_t i = range.first_row; i < range.last_row; ++i) body(h, i);
  }
}

void clear(Place x, std::size_t head, std::size_t rows, std::size_t cols) {
  for (std::size_t j = 0; j < rows; ++j) std::fill_n(row_of(x, head, j), cols, real(0));
}

void attend_one(const Attention& a, Place out, Statistics statistics, std::size_t h,
                std::size_t i) {
  const Keys keys = keys_of(a, i);
  real largest = none;
  for (std::size_t j = keys.first; j < keys.last; ++j) {
    const real s = score(a, h, i, j);
    if (s > largest || s != s) largest = s;
  }
  real* row = row_of(out, h, i);
  std::fill_n(row, a.dv, real(0));
  real sum = 0;
  for (std::size_t j = keys.first; j < keys.last && largest != none; ++j) {
    const real w = weight(score(a, h, i, j), largest);
    sum += w;
    for (std::size_t c = 0; c < a.dv; ++c) row[c] += w * row_of(a.v, h, j)[c];
  }
  for (std::size_t c = 0; c < a.dv && largest != none; ++c) row[c] /= sum;
  if (statistics.largest != nullptr) statistics.largest[h * a.m + i] = largest;
  if (statistics.sum != nullptr) statistics.sum[h * a.m + i] = sum;
}

void backward_one(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
                  const Gradients& g, std::size_t h, std::size_t i) {
  const real largest = statistics.largest[h * a.m + i];
  const real sum = statistics.sum[h * a.m + i];
  if (largest == none) return;
  const real* gi = row_of(out_gradient, h, i);
  const real mean = dot(gi, row_of(out, h, i), a.dv);
  const Keys keys = keys_of(a, i);
  for (std::size_t j = keys.first; j < keys.last; ++j) {
    const real p = weight(score(a, h, i, j), largest) / sum;
    const real ds = p * (dot(gi, row_of(a.v, h, j), a.dv) - mean);
    for (std::size_t c = 0; c < a.dv; ++c) row_of(g.v, h, j)[c] += p * gi[c];
    for (std::size_t c = 0; c < a.d; ++c) {
      row_of(g.q, h, i)[c] += a.scale * ds * row_of(a.k, h, j)[c];
      row_of(g.k, h, j)[c] += a.scale * ds * row_of(a.q, h, i)[c];
    }
    if (g.bias.data != nullptr) row_of(g.bias, h, i)[j] += ds;
  }
}

}  // namespace

void attend(const Attention& a, Place out, Statistics statistics, Range range) {
  each_row(a, range, [&](std::size_t h, std::size_t i) { attend_one(a, out, statistics, h, i); });
}

void attend_backward(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
                     Gradients gradients, Range range) {
  const Range rows = clip(a, range);
  for (std::size_t h = rows.first_head; h < rows.last_head; ++h) {
    clear(gradients.k, h, a.n, a.d);
    clear(gradients.v, h, a.n, a.dv);
  }
  each_row(a, range, [&](std::size_t h, std::size_t i) {
    std::fill_n(row_of(gradients.q, h, i), a.d, real(0));
    if (gradients.bias.data != nullptr) std::fill_n(row_of(gradients.bias, h, i), a.n, real(0));
  });
  each_row(a, range, [&](std::size_t h, std::size_t i) {
    backward_one(a, out, statistics, out_gradient, gradients, h, i);
  });
}

void attention_row(const Attention& a, std::size_t head, std::size_t i, real largest, real sum,
                   real* weights) {
  std::fill_n(weights, a.n, real(0));
  if (largest == none) return;
  const Keys keys = keys_of(a, i);
  for (std::size_t j = keys.first; j < keys.last; ++j) {
    weights[j] = weight(score(a, head, i, j), largest) / sum;
  }
}

}  // namespace attend::fused
