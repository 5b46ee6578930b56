// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <vector>

#include "fused/attention.h"
#include "tests/kernels/sweep.h"

// A form's kernel beside the same by plain loops in double: its context, and its gradients against the difference of
// two contexts along a drawn direction.
namespace attend::fused_tests {

using Doubles = std::vector<double>;

struct PlainForm {
  std::size_t heads, m, n, d, dv;
  std::vector<real> q, k, v, more, slope;  // `more`: whatever else has a gradient
  std::vector<real> out, dq, dk, dv_, dmore;

  PlainForm(std::size_t heads_, std::size_t m_, std::size_t n_, std::size_t d_, std::size_t width,
            std::vector<real> more_ = {})
      : heads(heads_), m(m_), n(n_), d(d_), dv(width), more(std::move(more_)) {
    sweep::Numbers numbers(m * 31 + n * 7 + d);
    q = numbers.list(heads * m * d, -1, 1);
    k = numbers.list(heads * n * d, -1, 1);
    v = numbers.list(heads * n * dv, -1, 1);
    slope = numbers.list(heads * m * dv, -1, 1);
    out.assign(heads * m * dv, 7);
    dq.assign(q.size(), 7);
    dk.assign(k.size(), 7);
    dv_.assign(v.size(), 7);
    dmore.assign(more.size(), 7);
  }

  fused::Attention attention() const {
    fused::Attention a;
    a.heads = heads;
    a.m = m;
    a.n = n;
    a.d = d;
    a.dv = dv;
    a.q = {q.data(), d, m * d};
    a.k = {k.data(), d, n * d};
    a.v = {v.data(), dv, n * dv};
    a.scale = real(.7);
    return a;
  }
  fused::Place to_out() { return {out.data(), dv, m * dv}; }
  fused::Rows from_out() const { return {out.data(), dv, m * dv}; }
  fused::Rows slopes() const { return {slope.data(), dv, m * dv}; }
  fused::Gradients gradients() {
    return {{dq.data(), d, m * d}, {dk.data(), d, n * d}, {dv_.data(), dv, n * dv}, {}};
  }

  // Contexts [m dv] of one head from its rows and all of `more`.
  using Plain = std::function<Doubles(std::size_t head, const Doubles& q, const Doubles& k,
                                      const Doubles& v, const Doubles& more)>;

  void check(const Plain& plain) {
    const double tolerance = sizeof(real) == 8 ? 1e-11 : 5e-5;
    const Doubles expected = all(plain, 0);
    REQUIRE(expected.size() == out.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      CHECK(std::abs(out[i] - expected[i]) < tolerance * (1 + std::abs(expected[i])));
    const double step = 1e-5;
    const Doubles after = all(plain, step), before = all(plain, -step);
    double found = 0, along = 0, size = 1e-2;
    for (std::size_t i = 0; i < after.size(); ++i)
      found += (after[i] - before[i]) / (2 * step) * slope[i];
    const auto add = [&](const std::vector<real>& gradient, double seed) {
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        along += gradient[i] * way(i, seed);
        size += std::abs(gradient[i] * way(i, seed)) * .1;
      }
    };
    add(dq, 1);
    add(dk, 2);
    add(dv_, 3);
    add(dmore, 4);
    CHECK(std::abs(along - found) < (sizeof(real) == 8 ? 1e-7 : 3e-4) * (size + std::abs(found)));
  }

 private:
  static double way(std::size_t i, double seed) {
    return std::cos(static_cast<double>(i * i % 101) + seed * 1.7);
  }
  static Doubles part(const std::vector<real>& x, std::size_t head, std::size_t count, double step,
                      double seed) {
    Doubles list;
    for (std::size_t i = head * count; i < head * count + count; ++i)
      list.push_back(static_cast<double>(x[i]) + step * way(i, seed));
    return list;
  }
  Doubles all(const Plain& plain, double step) const {
    Doubles list;
    for (std::size_t h = 0; h < heads; ++h) {
      const Doubles one = plain(h, part(q, h, m * d, step, 1), part(k, h, n * d, step, 2),
                                part(v, h, n * dv, step, 3), part(more, 0, more.size(), step, 4));
      list.insert(list.end(), one.begin(), one.end());
    }
    return list;
  }
};

inline double product(const Doubles& a, std::size_t i, const Doubles& b, std::size_t j,
                      std::size_t width) {
  double sum = 0;
  for (std::size_t c = 0; c < width; ++c) sum += a[i * width + c] * b[j * width + c];
  return sum;
}

}  // namespace attend::fused_tests
