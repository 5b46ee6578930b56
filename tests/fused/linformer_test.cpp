// SPDX-License-Identifier: Apache-2.0
#include "bindings/efficient/linformer.h"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include "tests/kernels/sweep.h"

namespace attend::fused_tests::linformer_test {
namespace {

constexpr double tolerance = sizeof(real) == 8 ? 1e-12 : 2e-5;

struct Call {
  fused::Mixed x;
  std::vector<real> q, k, v, e, g, slope, out, largest, sum, dq, dk, dv;

  Call(std::size_t heads, std::size_t m, std::size_t n, std::size_t r) {
    sweep::Numbers numbers(m + n);
    q = numbers.list(heads * m * 5, -1, 1);
    k = numbers.list(heads * n * 5, -1, 1);
    v = numbers.list(heads * n * 3, -1, 1);
    e = numbers.list(r * n, -1, 1);
    g = numbers.list(r * n, -1, 1);
    slope = numbers.list(heads * m * 3, -1, 1);
    out.assign(heads * m * 3, 7);
    largest.assign(heads * m, 7);
    sum = largest;
    dq.assign(q.size(), 7);
    dk.assign(k.size(), 7);
    dv.assign(v.size(), 7);
    x.a.heads = heads;
    x.a.m = m;
    x.a.n = n;
    x.a.d = 5;
    x.a.dv = 3;
    x.a.scale = real(.6);
    x.a.q = {q.data(), 5, m * 5};
    x.a.k = {k.data(), 5, n * 5};
    x.a.v = {v.data(), 3, n * 3};
    x.r = r;
    x.e = e.data();
    x.g = g.data();
  }
  void run() {
    const std::size_t m = x.a.m, n = x.a.n;
    fused::attend_mixed(x, {out.data(), 3, m * 3}, {largest.data(), sum.data()});
    fused::attend_mixed_backward(
        x, {out.data(), 3, m * 3}, {largest.data(), sum.data()}, {slope.data(), 3, m * 3},
        {{dq.data(), 5, m * 5}, {dk.data(), 5, n * 5}, {dv.data(), 3, n * 3}, {}});
  }
};

// [r width] = a [r n] x [n width], or with the first turned [n width] = a^T [n r] x [r width].
std::vector<real> product(const std::vector<real>& a, const real* x, std::size_t r, std::size_t n,
                          std::size_t width, bool turned) {
  std::vector<double> sums((turned ? n : r) * width, 0);
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t c = 0; c < width; ++c) {
        if (turned)
          sums[j * width + c] += static_cast<double>(a[i * n + j]) * x[i * width + c];
        else
          sums[i * width + c] += static_cast<double>(a[i * n + j]) * x[j * width + c];
      }
    }
  }
  return {sums.begin(), sums.end()};
}

void near(const std::vector<real>& found, std::size_t from, const std::vector<real>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::abs(found[from + i] - expected[i]) < tolerance * (1 + std::abs(expected[i])));
}

TEST_CASE("attention over mixed rows is attention over E k and G v, forward and backward") {
  for (const std::size_t n : {1UL, 7UL, 65UL}) {
    for (const std::size_t r : {1UL, 4UL, 9UL}) {
      Call call(2, 6, n, r);
      call.run();
      for (std::size_t h = 0; h < 2; ++h) {
        const std::vector<real> keys = product(call.e, &call.k[h * n * 5], r, n, 5, false);
        const std::vector<real> values = product(call.g, &call.v[h * n * 3], r, n, 3, false);
        fused::Attention a = call.x.a;
        a.heads = 1;
        a.n = r;
        a.q = {&call.q[h * 30], 5, 0};
        a.k = {keys.data(), 5, 0};
        a.v = {values.data(), 3, 0};
        std::vector<real> out(18), largest(6), sum(6), dq(30), dk(r * 5), dv(r * 3);
        fused::attend(a, {out.data(), 3, 0}, {largest.data(), sum.data()});
        fused::attend_backward(a, {out.data(), 3, 0}, {largest.data(), sum.data()},
                               {&call.slope[h * 18], 3, 0},
                               {{dq.data(), 5, 0}, {dk.data(), 5, 0}, {dv.data(), 3, 0}, {}});
        near(call.out, h * 18, out);
        near(call.dq, h * 30, dq);
        near(call.dk, h * n * 5, product(call.e, dk.data(), r, n, 5, true));
        near(call.dv, h * n * 3, product(call.g, dv.data(), r, n, 3, true));
      }
    }
  }
}

TEST_CASE("with as many rows as keys, each a key of its own, it is softmax attention") {
  Call call(2, 6, 9, 9);
  for (std::size_t i = 0; i < 81; ++i) call.e[i] = call.g[i] = i / 9 == i % 9 ? 1 : 0;
  call.run();
  std::vector<real> out(36), largest(12), sum(12);
  fused::attend(call.x.a, {out.data(), 3, 18}, {largest.data(), sum.data()});
  near(call.out, 0, out);
}

}  // namespace
}  // namespace attend::fused_tests::linformer_test
