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
