// SPDX-License-Identifier: Apache-2.0
#include "kernels/linear_algebra.h"

#include "tests/kernels/sweep.h"

namespace attend::linear_algebra_test {
namespace {

// A matrix whose diagonal outweighs its rows: its inverse exists and is well conditioned.
std::vector<real> dominant(std::size_t n) {
  auto a = sweep::Numbers(15 + n).list(n * n, -1, 1);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += static_cast<real>(n) + 1;
  return a;
}

TEST_CASE("inverse: a times its inverse is the identity, in place too") {
  for (std::size_t n = 0; n <= sweep::most_size; ++n) {
    CAPTURE(n);
    const auto a = dominant(n);
    auto in_place = a;
    sweep::Guarded out(n * n, 1);
    REQUIRE(kernels::inverse(a.data(), out.data(), n));
    REQUIRE(kernels::inverse(in_place.data(), in_place.data(), n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        sweep::wide sum = 0;
        for (std::size_t p = 0; p < n; ++p) {
          sum += sweep::wide(a[i * n + p]) * out.data()[p * n + j];
        }
        CHECK(std::fabs(sum - (i == j ? 1 : 0)) <= 100 * sweep::epsilon);
        CHECK(in_place[i * n + j] == out.data()[i * n + j]);
      }
    }
    CHECK(out.intact());
  }
}

TEST_CASE("inverse: a zero on the diagonal needs a pivot, not a refusal") {
  const std::vector<real> swap = {0, 2, 4, 0};
  std::vector<real> out(4);
  REQUIRE(kernels::inverse(swap.data(), out.data(), 2));
  CHECK(out == std::vector<real>{0, real(0.25), real(0.5), 0});
}

// Symmetric matrices one after the other, each positive, negative or neither as its sign is 1, -1 or 0. Above the
// diagonal is what nobody reads.
std::vector<real> symmetric(std::size_t count, std::size_t n, const std::vector<real>& signs) {
  auto a = sweep::Numbers(7 + n).list(count * n * n, -1, 1);
  for (std::size_t m = 0; m < count; ++m) {
    for (std::size_t i = 0; i < n; ++i) {
      a[(m * n + i) * n + i] += signs[m % signs.size()] * static_cast<real>(n);
      for (std::size_t k = i + 1; k < n; ++k) a[(m * n + i) * n + k] = sweep::nan;
    }
  }
  return a;
}

TEST_CASE("solve_symmetric: x A = b for many matrices at once, positive or not") {
  const std::vector<std::vector<real>> all_signs = {{1}, {1, -1, 0}};
  for (const auto& signs : all_signs) {
    for (std::size_t n = 0; n <= sweep::most_size; ++n) {
      for (const std::size_t count : {1UL, 5UL, 19UL}) {
        CAPTURE(n);
        CAPTURE(count);
        const std::size_t rows = 1 + n % 3;
        const auto a = symmetric(count, n, signs);
        const auto b = sweep::Numbers(3).list(count * rows * n, -1, 1);
        sweep::Guarded out(count * rows * n, 1);
        REQUIRE(kernels::solve_symmetric(a.data(), b.data(), out.data(), count, n, rows));
        CHECK(out.intact());
        for (std::size_t r = 0; r < count * rows; ++r) {
          for (std::size_t j = 0; j < n; ++j) {
            sweep::wide sum = 0, size = 1;
            for (std::size_t i = 0; i < n; ++i) {
              const std::size_t at = (r / rows * n + std::max(i, j)) * n + std::min(i, j);
              sum += sweep::wide(a[at]) * out.data()[r * n + i];
              size += std::fabs(sweep::wide(a[at]) * out.data()[r * n + i]);
            }
            CHECK(std::fabs(sum - b[r * n + j]) <= 1000 * sweep::epsilon * size);
          }
        }
      }
    }
  }
}

TEST_CASE("solve_symmetric: one singular matrix among others is refused, and NaN") {
  std::vector<real> a = symmetric(9, 4, {1}), out(36);
  const std::vector<real> b(36, 1);
  REQUIRE(kernels::solve_symmetric(a.data(), b.data(), out.data(), 9, 4, 1));
  auto broken = a;
  broken[8 * 16] = sweep::nan;
  CHECK(!kernels::solve_symmetric(broken.data(), b.data(), out.data(), 9, 4, 1));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k) a[5 * 16 + i * 4 + k] = 1;
  }
  CHECK(!kernels::solve_symmetric(a.data(), b.data(), out.data(), 9, 4, 1));
}

TEST_CASE("inverse: singular, NaN and infinity are refused and leave the output alone") {
  const std::vector<std::vector<real>> refused = {
      {1, 2, 2, 4}, {0, 0, 0, 0}, {sweep::nan, 0, 0, 1}, {sweep::infinity, 0, 0, 1}};
  for (const auto& a : refused) {
    std::vector<real> out = {9, 8, 7, 6};
    CHECK(!kernels::inverse(a.data(), out.data(), 2));
    CHECK(out == std::vector<real>{9, 8, 7, 6});
  }
}

}  // namespace
}  // namespace attend::linear_algebra_test
