// SPDX-License-Identifier: Apache-2.0
// Keys and values of distances in the attention kernel, against plain loops in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

#include "fused/attention.h"
#include "tests/kernels/sweep.h"

namespace attend::fused_tests::relative_test {
namespace {

using fused::Attention;
using fused::Gradients;
using fused::Place;
using fused::Rows;

// [heads rows cols], dense; one head for all where it is shared.
struct Numbers {
  std::size_t rows, cols;
  bool shared = false;
  std::vector<real> data = {};

  [[nodiscard]] std::size_t at(std::size_t h, std::size_t i, std::size_t c) const {
    return ((shared ? 0 : h) * rows + i) * cols + c;
  }
  [[nodiscard]] Rows read() const { return {data.data(), cols, shared ? 0 : rows * cols}; }
  Place write() { return {data.data(), cols, shared ? 0 : rows * cols}; }
};

struct Sizes {
  std::size_t heads, m, n, d, dv, e, count;
  bool values, bias, mask, causal, shared, cap;
  std::ptrdiff_t shift;
};

// The tensors of one attention, or their gradients.
template <class Tensor>
struct Tensors {
  Tensor q, k, v, bias, p, keys, values, out;
  [[nodiscard]] auto all() { return std::array{&q, &k, &v, &bias, &p, &keys, &values, &out}; }
};

using Plain = std::vector<double>;

class Trial {
 public:
  Trial(const Sizes& sizes, std::uint64_t seed) : s(sizes) {
    sweep::Numbers numbers(seed);
    x = {{s.m, s.d},
         {s.n, s.d},
         {s.n, s.dv},
         {s.m, s.n},
         {s.m, s.e},
         {s.count, s.e, s.shared},
         {s.count, s.dv, s.shared},
         {s.m, s.dv}};
    for (Numbers* one : x.all()) {
      one->data.resize((one->shared ? 1 : s.heads) * one->rows * one->cols);
      for (real& number : one->data) number = numbers.next(-1, 1);
    }
    found = x;  // whatever is there is overwritten
    mask = x.bias;
    for (real& number : mask.data) number = numbers.next(-1, 1) > real(-.3) ? real(1) : real(0);
  }

  // The largest difference to plain loops, relative to the numbers above 1.
  double worst() {
    compute();
    for (std::size_t t = 0; t < want.all().size(); ++t)
      want.all()[t]->assign(x.all()[t]->data.size(), 0);
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t i = 0; i < s.m; ++i) add_row(h, i);
    }
    double most = 0;
    for (std::size_t t = 0; t < want.all().size(); ++t) {
      if ((want.all()[t] == &want.bias && !s.bias) || (want.all()[t] == &want.values && !s.values))
        continue;
      for (std::size_t at = 0; at < want.all()[t]->size(); ++at) {
        const double expected = (*want.all()[t])[at];
        const double off = std::abs(found.all()[t]->data[at] - expected) / (1 + std::abs(expected));
        most = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(most, off);
      }
    }
    return most;
  }

 private:
  void compute() {
    Attention a;
    a.heads = s.heads;
    a.m = s.m;
    a.n = s.n;
    a.d = s.d;
    a.dv = s.dv;
    a.q = x.q.read();
    a.k = x.k.read();
    a.v = x.v.read();
    a.scale = scale;
    if (s.causal) a.after = 0;
    if (s.bias) a.bias = x.bias.read();
    if (s.mask) a.mask = mask.read();
    if (s.cap) a.cap = cap;
    a.relative = {x.p.read(), x.keys.read(), s.values ? x.values.read() : Rows{},
                  s.count,    s.e,           s.shift};
    std::vector<real> largest(s.heads * s.m), sum(s.heads * s.m);
    fused::attend(a, found.out.write(), {largest.data(), sum.data()});
    Gradients gradients{found.q.write(), found.k.write(), found.v.write(), {}};
    if (s.bias) gradients.bias = found.bias.write();
    gradients.p = found.p.write();
    gradients.relative_keys = found.keys.write();
    if (s.values) gradients.relative_values = found.values.write();
    fused::attend_backward(a, found.out.read(), {largest.data(), sum.data()}, x.out.read(),
                           gradients);
  }

  [[nodiscard]] std::size_t row_of(std::size_t i, std::size_t j) const {
    const auto at = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) + s.shift;
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(s.count) - 1));
  }
  static double number(const Numbers& of, std::size_t h, std::size_t i, std::size_t c) {
    return of.data[of.at(h, i, c)];
  }
  static double dot(const Numbers& a, const Numbers& b, std::size_t h, std::size_t i,
                    std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < a.cols; ++c) sum += number(a, h, i, c) * number(b, h, j, c);
    return sum;
  }
  // to[j] += by of[i]
  void add(Plain& to, const Numbers& like, std::size_t h, std::size_t j, double by,
           const Numbers& of, std::size_t i) {
    for (std::size_t c = 0; c < of.cols; ++c) to[like.at(h, j, c)] += by * number(of, h, i, c);
  }

  // Row i of the output, and what its gradient gives every tensor; the given gradient lies in x.out.
  void add_row(std::size_t h, std::size_t i) {
    Plain weights(s.n), passed(s.n, 1), slopes(s.n);
    double total = 0, mean = 0;
    for (std::size_t j = 0; j < s.n; ++j) {
      const bool left_out = (s.causal && j > i) || (s.mask && mask.data[mask.at(h, i, j)] == 0);
      double score = scale * dot(x.q, x.k, h, i, j) + dot(x.p, x.keys, h, i, row_of(i, j));
      if (s.bias) score += number(x.bias, h, i, j);
      if (s.cap) {
        const double inside = std::tanh(score / cap);
        score = cap * inside;
        passed[j] = 1 - inside * inside;
      }
      total += weights[j] = left_out ? 0 : std::exp(score);
    }
    for (std::size_t j = 0; j < s.n && total > 0; ++j) {
      weights[j] /= total;
      add(want.out, x.out, h, i, weights[j], x.v, j);
      slopes[j] = dot(x.out, x.v, h, i, j);
      if (s.values) {
        add(want.out, x.out, h, i, weights[j], x.values, row_of(i, j));
        add(want.values, x.values, h, row_of(i, j), weights[j], x.out, i);
        slopes[j] += dot(x.out, x.values, h, i, row_of(i, j));
      }
      add(want.v, x.v, h, j, weights[j], x.out, i);
      mean += weights[j] * slopes[j];
    }
    for (std::size_t j = 0; j < s.n; ++j) {
      const double slope = weights[j] * (slopes[j] - mean) * passed[j];
      want.bias[x.bias.at(h, i, j)] += slope;
      add(want.q, x.q, h, i, slope * scale, x.k, j);
      add(want.k, x.k, h, j, slope * scale, x.q, i);
      add(want.p, x.p, h, i, slope, x.keys, row_of(i, j));
      add(want.keys, x.keys, h, row_of(i, j), slope, x.p, i);
    }
  }

  static constexpr real scale = real(.5), cap = 2;
  Sizes s;
  Tensors<Numbers> x, found;
  Tensors<Plain> want;
  Numbers mask;
};

}  // namespace

TEST_CASE(
    "keys and values of distances in the kernel give what plain loops give, and their gradients") {
  const double tolerance = sizeof(real) == 8 ? 1e-12 : 2e-5;
  sweep::Numbers drawn(5);
  const auto below = [&](std::size_t count) {
    return std::min(static_cast<std::size_t>(drawn.next(0, 1) * static_cast<real>(count)),
                    count - 1);
  };
  const auto pick = [&](const std::vector<std::size_t>& list) { return list[below(list.size())]; };
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Sizes s{.heads = pick({1, 2, 3}),
            .m = pick({1, 2, 3, 5, 7, 17, 37, 130, 300}),
            .n = pick({1, 2, 3, 5, 7, 23, 41, 129, 301}),
            .d = pick({1, 2, 5, 8, 9}),
            .dv = pick({1, 3, 8, 17}),
            .e = pick({1, 2, 5, 8, 12}),
            .count = pick({1, 2, 3, 7, 33, 400, 700}),
            .values = below(2) == 0,
            .bias = below(3) == 0,
            .mask = below(3) == 0,
            .causal = below(3) == 0,
            .shared = below(2) == 0,
            .cap = below(5) == 0,
            .shift = static_cast<std::ptrdiff_t>(below(12)) - 3};
    if (below(2) == 0) s.shift = static_cast<std::ptrdiff_t>(s.m) - 1;
    CAPTURE(seed);
    CHECK(Trial(s, seed).worst() < tolerance);
  }
}

}  // namespace attend::fused_tests::relative_test
