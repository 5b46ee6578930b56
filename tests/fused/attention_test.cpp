// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tests/fused/trial.h"

namespace attend::fused_tests::attention_test {
namespace {

// Forward and backward are what the plain loops say.
void check(const Setting& s, std::uint64_t seed = 1) {
  Trial trial(s, seed);
  trial.forward();
  trial.backward();
  trial.expect();
  CAPTURE(s.heads);
  CAPTURE(s.m);
  CAPTURE(s.n);
  CAPTURE(s.d);
  CAPTURE(s.dv);
  CAPTURE(s.place);
  CHECK(trial.forward_faults() == "");
  CHECK(trial.backward_faults() == "");
}

Setting sizes(std::size_t m, std::size_t n, std::size_t d, std::size_t dv) {
  Setting s;
  s.m = m;
  s.n = n;
  s.d = d;
  s.dv = dv;
  return s;
}

constexpr std::size_t most = sweep::most_size;

TEST_CASE("fused attention of every small size") {
  sweep::Numbers numbers(5);
  const auto any = [&] { return static_cast<std::size_t>(numbers.next(0, most + 1)); };
  for (std::size_t a = 0; a <= most; ++a) {
    for (std::size_t b = 0; b <= most; ++b) {
      Setting pairs[] = {sizes(a, b, any(), any()), sizes(any(), any(), a, b),
                         sizes(a, any(), b, any())};
      for (Setting& s : pairs) {
        s.place = (a + b) % 5;
        s.heads = 1 + (a * b) % 3;
        s.bias = any() % 3 == 0;
        s.mask = any() % 3 == 0;
        s.cap = any() % 3 == 0 ? 1.5 : 0;
        if (any() % 3 == 0) {
          s.after = static_cast<std::ptrdiff_t>(any()) - 4;
          s.before = static_cast<std::ptrdiff_t>(any()) - 2;
          s.offset = static_cast<std::ptrdiff_t>(any()) - 8;
        }
        check(s, a * 100 + b);
      }
    }
  }
}

TEST_CASE("fused attention over several blocks and groups") {
  Setting s = sizes(300, 700, 24, 40);
  check(s);
  s.offset = 400;
  s.after = 0;
  check(s);
  s.before = 30;
  check(s);
  s.cap = 2;
  check(s);
  s.bias = true;
  s.mask = true;
  check(s);
  s = sizes(7, 1100, 65, 3);  // rows of keys as they lie
  check(s);
  s = sizes(600, 130, 8, 70);
  s.heads = 2;
  s.after = 0;
  s.mask = true;
  check(s);
}

TEST_CASE("bands that are narrower than a group of rows, wherever they lie") {
  for (const std::ptrdiff_t reach : {0, 3, 17, 64, 130}) {
    CAPTURE(reach);
    Setting s = sizes(410, 430, 20, 12);
    s.before = s.after = reach;
    check(s);
    s.offset = 90;  // the last rows attend nothing
    check(s);
    s.before = -2;  // only what lies ahead
    s.after = reach + 2;
    s.heads = 2;
    check(s);
    s.before = reach;
    s.bias = true;
    check(s);
    s.mask = true;
    check(s);
  }
}

TEST_CASE("blocks, alone and with all else") {
  for (const std::size_t block : {1U, 4U, 7U, 48U, 300U, 2000U}) {
    CAPTURE(block);
    Setting s = sizes(150, 700, 12, 9);
    s.block = block;
    check(s);
    s.offset = -20;
    s.after = 3;
    s.bias = true;
    check(s);
    s.offset = 77;
    s.mask = true;
    s.heads = 2;
    check(s);
  }
}

TEST_CASE("heads of keys and rows of bias may be shared") {
  Setting s = sizes(11, 270, 6, 9);
  s.heads = 3;
  s.shared_keys = true;
  s.bias = true;
  s.shared_bias = true;
  check(s);
}

TEST_CASE("scores of any size") {
  for (const double size : {0., 30., 120.}) {
    CAPTURE(size);
    Setting s = sizes(20, 300, 16, 5);
    s.size = size;  // scores to 10,000 and more
    check(s);
  }
}

TEST_CASE("equal scores weigh alike and one large score takes all") {
  Trial trial(sizes(9, 300, 4, 1), 2);
  for (const real value : {real(0), real(70.7), real(-70.7)}) {
    for (real& x : trial.q.numbers) x = real(70.7);
    for (real& x : trial.k.numbers) x = value;  // scores of 0, 10,000 and -10,000
    trial.forward();
    for (std::size_t i = 0; i < 9; ++i) CHECK(trial.sum[i] == 300);
  }
  for (std::size_t c = 0; c < 4; ++c) trial.k.at(0, 271, c) = real(80);
  trial.forward();
  for (std::size_t i = 0; i < 9; ++i) CHECK(trial.out.at(0, i, 0) == trial.v.at(0, 271, 0));
}

TEST_CASE("where one key takes all, scores have no gradient") {
  Trial trial(sizes(20, 300, 16, 13), 3);
  for (real& x : trial.q.numbers) x = real(70.7);
  for (std::size_t c = 0; c < 16; ++c) trial.k.at(0, 271, c) = real(80);
  trial.forward();
  trial.backward();
  double largest = 0;
  for (std::size_t c = 0; c < 16; ++c) {
    for (std::size_t i = 0; i < 20; ++i)
      largest = std::max(largest, std::abs(double(trial.q_gradient.at(0, i, c))));
    for (std::size_t j = 0; j < 300; ++j)
      largest = std::max(largest, std::abs(double(trial.k_gradient.at(0, j, c))));
  }
  CHECK(largest == 0);
}

TEST_CASE("rows without keys are zeros, NaN and infinity stay in their rows") {
  Setting s = sizes(12, 290, 4, 5);
  s.bias = true;
  s.mask = true;
  Trial trial(s, 3);
  for (std::size_t j = 0; j < s.n; ++j) {
    trial.mask.at(0, 3, j) = 0;
    trial.bias.at(0, 4, j) = -sweep::infinity;
    trial.mask.at(0, 5, j) = trial.mask.at(0, 6, j) = 1;
  }
  trial.bias.at(0, 5, 7) = sweep::nan;
  trial.bias.at(0, 6, 280) = sweep::infinity;
  trial.mask.at(0, 7, 7) = 0;
  trial.bias.at(0, 7, 7) = sweep::nan;  // excluded
  trial.forward();
  trial.backward();
  std::vector<real> weights(s.n);
  for (std::size_t i = 0; i < s.m; ++i) {
    CAPTURE(i);
    fused::attention_row(trial.call, 0, i, trial.largest[i], trial.sum[i], weights.data());
    for (std::size_t c = 0; c < s.dv; ++c) {
      const real x = trial.out.at(0, i, c);
      if (i == 3 || i == 4) {
        CHECK(x == 0);
        CHECK(trial.q_gradient.at(0, i, c % s.d) == 0);
        CHECK(trial.sum[i] == 0);
        CHECK(weights == std::vector<real>(s.n, real(0)));
      } else if (i == 5 || i == 6) {
        CHECK(x != x);
        CHECK(weights[0] != weights[0]);
      } else {
        CHECK(std::abs(x) <= 1);
        CHECK(std::abs(trial.q_gradient.at(0, i, c % s.d)) < 10);
      }
    }
  }
}

TEST_CASE("single rows of the weights") {
  Setting s = sizes(20, 150, 7, 2);
  s.heads = 2;
  s.bias = true;
  s.after = 5;
  s.offset = 100;
  Trial trial(s, 4);
  trial.forward();
  trial.expect();
  std::vector<real> weights(s.n);
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t i = 0; i < s.m; ++i) {
      const std::size_t at = h * s.m + i;
      fused::attention_row(trial.call, h, i, trial.largest[at], trial.sum[at], weights.data());
      for (std::size_t j = 0; j < s.n; ++j) {
        const double want = static_cast<double>(trial.weights.value[at * s.n + j]);
        CHECK(std::abs(weights[j] - want) <= trial.tolerance * want);
      }
    }
  }
}

TEST_CASE("parts of the rows and heads make the whole") {
  Setting s = sizes(300, 140, 5, 6);
  s.heads = 3;
  s.after = 3;
  s.bias = true;
  Trial whole(s, 6);
  whole.forward();
  whole.backward();
  Trial parts(s, 6);
  Tensor keys = parts.k_gradient;
  for (real& x : keys.numbers) x = 0;
  for (const fused::Range& r :
       {fused::Range{0, 1, 0, 37}, fused::Range{0, 1, 37, 400}, fused::Range{1, 9, 0, 150},
        fused::Range{1, 3, 150, 300}, fused::Range{3, 4, 0, 5}, fused::Range{0, 3, 7, 7}}) {
    parts.forward(r);
    parts.backward(r);
    if (r.first_row == r.last_row) continue;
    for (std::size_t h = r.first_head; h < std::min<std::size_t>(r.last_head, 3); ++h) {
      for (std::size_t j = 0; j < s.n; ++j) {
        for (std::size_t c = 0; c < s.d; ++c) keys.at(h, j, c) += parts.k_gradient.at(h, j, c);
      }
    }
  }
  parts.expect();
  CHECK(parts.forward_faults() == "");
  CHECK(whole.largest == parts.largest);
  whole.expect();
  CHECK(whole.backward_faults() == "");
  for (std::size_t h = 0; h < 3; ++h) {
    for (std::size_t j = 0; j < s.n; ++j) {
      for (std::size_t c = 0; c < s.d; ++c) {
        const double size = static_cast<double>(whole.k_expected.size[(h * s.n + j) * s.d + c]);
        CHECK(std::abs(keys.at(h, j, c) - whole.k_gradient.at(h, j, c)) <= whole.tolerance * size);
      }
    }
  }
}

}  // namespace
}  // namespace attend::fused_tests::attention_test
