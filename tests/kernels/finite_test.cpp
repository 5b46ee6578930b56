// SPDX-License-Identifier: Apache-2.0
#include "kernels/finite.h"

#include <doctest/doctest.h>
#include <limits>
#include <vector>

namespace attend::finite_test {
namespace {

TEST_CASE("finite: one number that is not, at every place of every size") {
  using limits = std::numeric_limits<real>;
  for (std::size_t size = 0; size < 70; ++size) {
    std::vector<real> numbers(size, limits::max());
    for (std::size_t i = 0; i < size; i += 2) numbers[i] = -limits::denorm_min();
    CHECK(kernels::all_finite(numbers));
    for (real& number : numbers) {
      const real before = number;
      for (const real odd : {limits::quiet_NaN(), limits::infinity(), -limits::infinity()}) {
        number = odd;
        CHECK_FALSE(kernels::all_finite(numbers));
      }
      number = before;
    }
  }
}

}  // namespace
}  // namespace attend::finite_test
