// SPDX-License-Identifier: Apache-2.0
#include "fused/features.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include "tests/kernels/sweep.h"

namespace attend::fused_tests::features_test {
namespace {

using fused::FeatureAttention;
using fused::FeatureMap;
using Matrix = std::vector<std::vector<long double>>;

struct Sizes {
  std::size_t m, n, d, dv, r = 0;
  std::size_t heads = 1;
  bool causal = false;
  double size = 1;
};

bool drawn(FeatureMap map) { return map == FeatureMap::positive || map == FeatureMap::rectified; }

// A call on drawn numbers, beside the same by plain loops over all pairs in a wider type.
class Trial {
 public:
  Trial(FeatureMap map, const Sizes& s, std::uint64_t seed = 1) : numbers_(seed) {
    a.map = map;
    a.heads = s.heads;
    a.m = s.m;
    a.n = s.n;
    a.d = s.d;
    a.dv = s.dv;
    a.r = drawn(map) ? s.r : s.d;
    a.causal = s.causal;
    // Features that are given, and those of 1 + x, are to have sums away from 0.
    const bool above = map == FeatureMap::given || map == FeatureMap::one_plus;
    q = list(a.heads * a.m * a.d, above ? .1 : -s.size, s.size);
    k = list(a.heads * a.n * a.d, above ? .1 : -s.size, s.size);
    v = list(a.heads * a.n * a.dv, -1, 1);
    w = list(a.heads * a.r * a.d, -1.5, 1.5);
    slope = list(a.heads * a.m * a.dv, -1, 1);
    a.q = {q.data(), a.d, a.m * a.d};
    a.k = {k.data(), a.d, a.n * a.d};
    a.v = {v.data(), a.dv, a.n * a.dv};
    a.drawn = {w.data(), a.d, a.r * a.d};
    out.assign(a.heads * a.m * a.dv, 7);
    total.assign(a.heads * a.m, 7);
    dq.assign(q.size(), 7);
    dk.assign(k.size(), 7);
    dv.assign(v.size(), 7);
  }

  void run() {
    fused::attend_by_features(a, {out.data(), a.dv, a.m * a.dv}, total.data());
    fused::attend_by_features_backward(
        a, {out.data(), a.dv, a.m * a.dv}, total.data(), {slope.data(), a.dv, a.m * a.dv},
        {{dq.data(), a.d, a.m * a.d}, {dk.data(), a.d, a.n * a.d}, {dv.data(), a.dv, a.n * a.dv}});
  }

  // The largest difference from the plain loops, over the largest number.
  double fault() {
    double most = 0;
    for (std::size_t h = 0; h < a.heads; ++h) most = std::max(most, fault_of(h));
    return most;
  }

  FeatureAttention a;
  std::vector<real> q, k, v, w, slope, out, total, dq, dk, dv;

 private:
  std::vector<real> list(std::size_t count, double low, double high) {
    return numbers_.list(count, low, high);
  }

  // Features of one row and how they move with it.
  void features(const real* x, std::size_t h, std::vector<long double>& f, Matrix& slopes) const {
    f.assign(a.r, 0);
    slopes.assign(a.r, std::vector<long double>(a.d, 0));
    const long double side = drawn(a.map) ? std::pow(static_cast<long double>(a.d), .25L) : 1;
    long double square = 0;
    for (std::size_t c = 0; c < a.d; ++c) square += x[c] / side * (x[c] / side);
    for (std::size_t r = 0; r < a.r; ++r) {
      const long double own = drawn(a.map) ? 0 : x[r];
      const real* row = w.data() + (h * a.r + r) * a.d;
      long double at = 0;
      for (std::size_t c = 0; c < a.d && drawn(a.map); ++c) at += x[c] / side * row[c];
      long double rate = 1;
      switch (a.map) {
        case FeatureMap::given:
          f[r] = own;
          break;
        case FeatureMap::elu_plus_one:
          f[r] = own > 0 ? own + 1 : std::exp(own);
          rate = own > 0 ? 1 : f[r];
          break;
        case FeatureMap::relu:
          f[r] = std::max(own, 0.L);
          rate = own > 0 ? 1 : 0;
          break;
        case FeatureMap::exponential:
          f[r] = rate = std::exp(own);
          break;
        case FeatureMap::one_plus:
          f[r] = 1 + own;
          break;
        case FeatureMap::positive:
          f[r] = std::exp(at - square / 2) / std::sqrt((long double)a.r);
          break;
        case FeatureMap::rectified:
          f[r] = std::max(at, 0.L) / std::sqrt((long double)a.r) + 1e-3L;
          break;
        case FeatureMap::fourier:  // in forms_test.cpp
          break;
      }
      for (std::size_t c = 0; c < a.d; ++c) {
        if (a.map == FeatureMap::positive) {
          slopes[r][c] = f[r] * (row[c] - x[c] / side) / side;
        } else if (a.map == FeatureMap::rectified) {
          slopes[r][c] = at > 0 ? row[c] / side / std::sqrt((long double)a.r) : 0;
        } else if (r == c) {
          slopes[r][c] = rate;
        }
      }
    }
  }

  double fault_of(std::size_t h) {
    std::vector<std::vector<long double>> fq(a.m), fk(a.n);
    std::vector<Matrix> sq(a.m), sk(a.n);
    for (std::size_t i = 0; i < a.m; ++i) features(&q[(h * a.m + i) * a.d], h, fq[i], sq[i]);
    for (std::size_t j = 0; j < a.n; ++j) features(&k[(h * a.n + j) * a.d], h, fk[j], sk[j]);
    std::vector<long double> o(a.m * a.dv), gq(a.m * a.d), gk(a.n * a.d), gv(a.n * a.dv);
    for (std::size_t i = 0; i < a.m; ++i) {
      std::vector<long double> s(a.n, 0), ds(a.n, 0);
      long double sum = 0, mean = 0;
      for (std::size_t j = 0; j < (a.causal ? std::min(i + 1, a.n) : a.n); ++j) {
        for (std::size_t r = 0; r < a.r; ++r) s[j] += fq[i][r] * fk[j][r];
        sum += s[j];
      }
      if (sum == 0) continue;
      for (std::size_t j = 0; j < a.n; ++j) {
        const bool seen = !a.causal || j <= i;
        for (std::size_t c = 0; c < a.dv && seen; ++c) {
          const long double g = slope[(h * a.m + i) * a.dv + c], one = v[(h * a.n + j) * a.dv + c];
          o[i * a.dv + c] += s[j] / sum * one;
          gv[j * a.dv + c] += s[j] / sum * g;
          ds[j] += g * one;
          mean += s[j] / sum * g * one;
        }
      }
      for (std::size_t j = 0; j < (a.causal ? std::min(i + 1, a.n) : a.n); ++j) {
        const long double by = (ds[j] - mean) / sum;
        for (std::size_t r = 0; r < a.r; ++r) {
          for (std::size_t c = 0; c < a.d; ++c) {
            gq[i * a.d + c] += by * fk[j][r] * sq[i][r][c];
            gk[j * a.d + c] += by * fq[i][r] * sk[j][r][c];
          }
        }
      }
    }
    return std::max({apart(out, h, o), apart(dq, h, gq), apart(dk, h, gk), apart(dv, h, gv)});
  }

  static double apart(const std::vector<real>& found, std::size_t h,
                      const std::vector<long double>& expected) {
    long double most = 0, size = .1L;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const long double gap = std::abs(found[h * expected.size() + i] - expected[i]);
      if (!(gap <= most)) most = gap;
      size = std::max(size, std::abs(expected[i]));
    }
    return static_cast<double>(most / size);
  }

  sweep::Numbers numbers_;
};

constexpr double tolerance = sizeof(real) == 8 ? 1e-12 : 3e-5;
constexpr FeatureMap maps[] = {
    FeatureMap::given,    FeatureMap::elu_plus_one, FeatureMap::relu,     FeatureMap::exponential,
    FeatureMap::one_plus, FeatureMap::positive,     FeatureMap::rectified};

void check(FeatureMap map, const Sizes& s, std::uint64_t seed = 1) {
  Trial trial(map, s, seed);
  trial.run();
  CAPTURE(static_cast<int>(map));
  CAPTURE(s.m);
  CAPTURE(s.n);
  CAPTURE(s.d);
  CAPTURE(s.causal);
  CHECK(trial.fault() < tolerance);
}

TEST_CASE("attention by features is the quotient of sums over pairs, forward and backward") {
  for (const FeatureMap map : maps) {
    for (const bool causal : {false, true}) {
      check(map, {1, 1, 1, 1, 1, 1, causal});
      check(map, {5, 5, 3, 2, 4, 2, causal});
      check(map, {7, 7, 8, 16, 5, 3, causal});
      check(map, {64, 64, 4, 4, 8, 1, causal});
      check(map, {130, 130, 6, 5, 9, 2, causal});
      check(map, {9, 140, 4, 3, 7, 1, causal});
      check(map, {140, 9, 4, 3, 7, 1, causal});
      check(map, {129, 70, 4, 3, 7, 2, causal});
      check(map, {3, 0, 4, 3, 7, 1, causal});
      check(map, {0, 3, 4, 3, 7, 1, causal});
    }
  }
}

TEST_CASE("features that would vanish or overflow keep their quotient") {
  for (const bool causal : {false, true}) {
    check(FeatureMap::exponential, {20, 20, 4, 3, 0, 1, causal, 30});
    check(FeatureMap::positive, {20, 20, 4, 3, 16, 1, causal, 8});
  }
  for (const double shift : {-200., 200.}) {
    Trial trial(FeatureMap::exponential, {30, 200, 4, 3}),
        moved(FeatureMap::exponential, {30, 200, 4, 3});
    for (real& x : moved.k) x += static_cast<real>(shift);
    for (real& x : moved.q) x += static_cast<real>(shift);
    trial.run();
    moved.run();
    for (std::size_t i = 0; i < trial.out.size(); ++i)
      CHECK(moved.out[i] == doctest::Approx(trial.out[i]).epsilon(1e-4));
  }
  Trial low(FeatureMap::elu_plus_one, {30, 200, 4, 3}),
      high(FeatureMap::exponential, {30, 200, 4, 3});
  for (Trial* one : {&low, &high}) {
    for (real& x : one->k) x -= 150;
    for (real& x : one->q) x -= 150;
    one->run();
  }
  for (std::size_t i = 0; i < low.out.size(); ++i)
    CHECK(low.out[i] == doctest::Approx(high.out[i]).epsilon(1e-5));
}

TEST_CASE(
    "causal attention by features does not see the future: not a bit of an earlier row changes") {
  for (const FeatureMap map : maps) {
    for (const std::size_t first : {1UL, 40UL, 64UL, 100UL}) {
      const Sizes s{130, 130, 6, 5, 9, 1, true};
      Trial plain(map, s), changed(map, s);
      for (std::size_t x = first * 6; x < changed.k.size(); ++x) changed.k[x] = real(2.5);
      for (std::size_t x = first * 6; x < changed.q.size(); ++x) changed.q[x] = real(1.5);
      for (std::size_t x = first * 5; x < changed.v.size(); ++x) changed.v[x] = 9;
      plain.run();
      changed.run();
      const auto rows = static_cast<std::ptrdiff_t>(first * 5);
      CHECK(std::equal(plain.out.begin(), plain.out.begin() + rows, changed.out.begin()));
      CHECK(plain.out != changed.out);
    }
  }
}

TEST_CASE("attention by features over 16384 rows is the same as over blocks of them") {
  Trial trial(FeatureMap::elu_plus_one, {16384, 16384, 8, 4, 0, 1, true});
  fused::attend_by_features(trial.a, {trial.out.data(), 4, 0}, trial.total.data());
  // Row by row: the recurrence in double.
  std::vector<double> S(8 * 4, 0), z(8, 0);
  const auto phi = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
  double most = 0;
  for (std::size_t i = 0; i < 16384; ++i) {
    double sum = 0, above[4] = {};
    for (std::size_t r = 0; r < 8; ++r) {
      const double f = phi(trial.k[i * 8 + r]), g = phi(trial.q[i * 8 + r]);
      z[r] += f;
      sum += g * z[r];
      for (std::size_t c = 0; c < 4; ++c) above[c] += g * (S[r * 4 + c] += f * trial.v[i * 4 + c]);
    }
    for (std::size_t c = 0; c < 4; ++c)
      most = std::max(most, std::abs(trial.out[i * 4 + c] - above[c] / sum));
  }
  CHECK(most < tolerance);
}

}  // namespace
}  // namespace attend::fused_tests::features_test
