// SPDX-License-Identifier: Apache-2.0
#include "kernels/decays.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "tests/kernels/sweep.h"

namespace attend::decays_test {
namespace {

using Numbers = std::vector<real>;

// Numbers without a pattern; some decays are 0, one is above 1.
Numbers drawn(std::size_t count, unsigned seed, bool decays = false) {
  Numbers numbers(count);
  unsigned state = seed * 2654435761U + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    const double unit = static_cast<double>(state >> 8U) / (1U << 24U);
    numbers[i] = static_cast<real>(decays ? (state % 11 == 0 ? 0 : .5 + .55 * unit) : 2 * unit - 1);
  }
  return numbers;
}

// The product of the decays of rows j+1 .. i-1, one factor after the other.
double between(const kernels::Decays& decays, std::size_t j, std::size_t i, std::size_t c,
               std::size_t without = 0) {
  double left = 1;
  for (std::size_t t = j + 1; t < i; ++t)
    if (t != without) left *= static_cast<double>(decays.rows[t * decays.width + c]);
  return left;
}

using Term = std::function<void(std::size_t i, std::size_t j, std::size_t c)>;
void for_each_pair(const kernels::Decays& decays, const Term& term) {
  for (std::size_t i = 0; i < decays.count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t c = 0; c < decays.width; ++c) term(i, j, c);
}

void check_near(const Numbers& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  const double tolerance = sizeof(real) == 8 ? 1e-12 : 1e-4;
  for (std::size_t k = 0; k < found.size(); ++k)
    REQUIRE(std::abs(static_cast<double>(found[k]) - expected[k]) <=
            tolerance * (1 + std::abs(expected[k])));
}

struct Sized {
  std::size_t count, width;
};
constexpr Sized sizes[] = {{1, 1},  {2, 3},   {7, 5},   {8, 8}, {9, 1},
                           {17, 9}, {33, 16}, {64, 12}, {65, 4}};

}  // namespace

TEST_CASE(
    "decays: pairs, sums and slopes are what their definitions say, for blocks of any size and decays of 0") {
  for (const auto& [count, width] : sizes) {
    CAPTURE(count);
    CAPTURE(width);
    const Numbers a = drawn(count * width, 1, true), x = drawn(count * width, 2),
                  y = drawn(count * width, 3), w = drawn(count * count, 4);
    const kernels::Decays decays{a.data(), count, width};
    const auto at = [width = width](const Numbers& rows, std::size_t i, std::size_t c) {
      return static_cast<double>(rows[i * width + c]);
    };
    std::vector<double> pairs(count * count), sums(count * width), back(count * width),
        slopes(count * width);
    for_each_pair(decays, [&, count = count, width = width](std::size_t i, std::size_t j,
                                                            std::size_t c) {
      const double left = between(decays, j, i, c), weight = static_cast<double>(w[i * count + j]);
      pairs[i * count + j] += at(x, i, c) * at(y, j, c) * left;
      sums[i * width + c] += weight * at(y, j, c) * left;
      back[j * width + c] += weight * at(x, i, c) * left;
      for (std::size_t s = j + 1; s < i; ++s)
        slopes[s * width + c] += weight * at(x, i, c) * at(y, j, c) * between(decays, j, i, c, s);
    });
    Numbers square(count * count, 7), rows(count * width, 7);
    kernels::decayed_pairs(decays, x.data(), y.data(), square.data());
    check_near(square, pairs);
    kernels::decayed_sums(decays, w.data(), y.data(), rows.data());
    check_near(rows, sums);
    kernels::decayed_sums_back(decays, w.data(), x.data(), rows.data());
    check_near(rows, back);
    kernels::decay_slopes(decays, w.data(), x.data(), y.data(), rows.data());
    check_near(rows, slopes);
  }
}

TEST_CASE(
    "solve_triangle: the equations hold, and what is on the diagonal and above it is not read") {
  for (const auto& [count, width] : sizes) {
    for (const bool transposed : {false, true}) {
      CAPTURE(count);
      CAPTURE(transposed);
      Numbers a = drawn(count * count, 5);
      for (real& x : a) x *= real(.2);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i; j < count; ++j)
          a[i * count + j] = std::numeric_limits<real>::quiet_NaN();
      const Numbers b = drawn(count * width, 6);
      Numbers x(count * width, 7);
      kernels::solve_triangle(a.data(), b.data(), x.data(), count, width, transposed);
      Numbers sides(count * width);
      std::vector<double> expected(b.begin(), b.end());
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < width; ++c) {
          real side = x[i * width + c];
          for (std::size_t j = transposed ? i + 1 : 0; j < (transposed ? count : i); ++j)
            side += (transposed ? a[j * count + i] : a[i * count + j]) * x[j * width + c];
          sides[i * width + c] = side;
        }
      }
      check_near(sides, expected);
    }
  }
}

}  // namespace attend::decays_test
