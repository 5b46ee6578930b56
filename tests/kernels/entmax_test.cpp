// SPDX-License-Identifier: Apache-2.0
// Rows of entmax against the equation of their largest weight, however near the scores are, and how long the search is.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "kernels/rows.h"
#include "tests/kernels/sweep.h"

namespace attend::entmax_test {
namespace {

constexpr double tolerance = sizeof(real) == 8 ? 1e-12 : 1e-6;
const std::vector<double> every_r{0, 1e-4, .01, .3, .5, .8, 1, 1.01, 1.5, 2, 3, 40};

// The weights of a row by bisection on the logarithm of the largest, in long double. Between two neighbouring numbers
// the sum may jump over 1; then both sides are mixed.
std::vector<double> expected(const std::vector<real>& x, double r) {
  const long double best = *std::max_element(x.begin(), x.end());
  const auto weight = [&](real score, long double largest) {
    const long double gap = score - best;
    if (r == 0) return std::exp(largest + gap);
    const long double y = r * gap * std::exp(-r * largest);
    return y <= -1 ? 0 : std::exp(largest + std::log1p(y) / r);
  };
  const auto sum = [&](long double largest) {
    long double total = 0;
    for (const real score : x) total += weight(score, largest);
    return total;
  };
  long double low = -std::log(static_cast<long double>(x.size())) - 1e-3L, high = 1e-3L;
  for (int step = 0; step < 90; ++step) {
    const long double middle = (low + high) / 2;
    (sum(middle) > 1 ? high : low) = middle;
  }
  const long double below = sum(low), above = sum(high);
  const long double share = above > below ? (1 - below) / (above - below) : 0;
  std::vector<double> weights;
  for (const real score : x)
    weights.push_back(
        static_cast<double>(share * weight(score, high) + (1 - share) * weight(score, low)));
  return weights;
}

struct Kind {
  std::string name;
  int most_steps;  // where r is at most 1
  std::function<double(std::size_t)> score;
};

std::vector<Kind> every_kind() {
  const auto noise = [](std::size_t j) { return std::sin(static_cast<double>(j * j) * .7); };
  return {
      {"equal", 3, [](std::size_t) { return .3; }},
      {"one bit apart", 8,
       [](std::size_t j) {
         return static_cast<real>(1) + static_cast<double>(j % 3) * sweep::epsilon;
       }},
      {"three values", 12, [](std::size_t j) { return static_cast<double>(j % 3) * .1; }},
      {"nearly equal", 12, [=](std::size_t j) { return 1 + 1e-5 * noise(j); }},
      {"near", 12, [=](std::size_t j) { return 1 + .01 * noise(j); }},
      {"apart", 16, [=](std::size_t j) { return noise(j); }},
      {"far apart", 16, [=](std::size_t j) { return 100 * noise(j); }},
      {"of every scale", 16, [](std::size_t j) { return -std::pow(.9, static_cast<double>(j)); }}};
}

}  // namespace

TEST_CASE("rows of entmax fulfil its equation after a few steps, however near the scores are") {
  for (const Kind& kind : every_kind()) {
    CAPTURE(kind.name);
    for (const double r : every_r) {
      CAPTURE(r);
      for (const std::size_t cols : {1UL, 2UL, 5UL, 17UL, 700UL}) {
        CAPTURE(cols);
        std::vector<real> x;
        for (std::size_t j = 0; j < cols; ++j) x.push_back(static_cast<real>(kind.score(j)));
        const std::vector<double> want = expected(x, r);
        sweep::Guarded out(cols, 1);
        const kernels::Entmax found = kernels::entmax_row(x.data(), nullptr, r, out.data(), cols);
        CHECK(out.intact());
        double worst = 0, total = 0;
        for (std::size_t j = 0; j < cols; ++j) {
          worst = std::max(worst, std::abs(out.data()[j] - want[j]) / (1e-3 + want[j]));
          total += static_cast<double>(out.data()[j]);
        }
        CHECK(worst < tolerance);
        CHECK(std::abs(total - 1) < tolerance);
        CHECK(found.largest ==
              doctest::Approx(*std::max_element(want.begin(), want.end())).epsilon(tolerance));
        CHECK(found.steps <= (r <= 1 ? kind.most_steps : kind.name == "equal" ? 3 : 64));
      }
    }
  }
}

TEST_CASE("rows of entmax in place, with masks, without a kept entry and with NaN") {
  const std::vector<real> x{1, 2, 4, 1.5, 1.75};
  for (const double r : every_r) {
    CAPTURE(r);
    for (const std::vector<real>& mask :
         {std::vector<real>{1, 1, 0, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 0, 0}}) {
      std::vector<real> kept;
      for (std::size_t j = 0; j < x.size(); ++j)
        if (mask[j] != 0) kept.push_back(x[j]);
      const std::vector<double> want = kept.empty() ? std::vector<double>{} : expected(kept, r);
      std::vector<real> row = x;
      kernels::entmax_row(row.data(), mask.data(), r, row.data(), row.size());
      for (std::size_t j = 0, at = 0; j < x.size(); ++j)
        CHECK(row[j] == doctest::Approx(mask[j] != 0 ? want[at++] : 0).epsilon(tolerance));
    }
    std::vector<real> odd{1, sweep::nan, 2}, out(3);
    const std::vector<real> mask{1, 1, 0};
    kernels::entmax_row(odd.data(), mask.data(), r, out.data(), 3);
    CHECK((std::isnan(out[0]) && std::isnan(out[1]) && out[2] == 0));
  }
}

}  // namespace attend::entmax_test
