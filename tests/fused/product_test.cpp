// SPDX-License-Identifier: Apache-2.0
#include "fused/product.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

#include "tests/kernels/sweep.h"

namespace attend::product_test {
namespace {

// One size, each operand as it is or transposed, against plain sums.
void check_product(std::size_t m, std::size_t n, std::size_t k, bool turn_a, bool turn_b) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(turn_a);
  CAPTURE(turn_b);
  sweep::Numbers numbers(21);
  const std::size_t a_step = (turn_a ? m : k) + 1, b_step = (turn_b ? k : n) + 2, out_step = n + 3;
  const std::vector<real> a = numbers.list((turn_a ? k : m) * a_step, -1, 1);
  const std::vector<real> b = numbers.list((turn_b ? n : k) * b_step, -1, 1);
  std::vector<real> out(m * out_step, real(7));
  fused::product({a.data(), a_step, turn_a}, {b.data(), b_step, turn_b}, out.data(), out_step, m, n,
                 k);
  const double unit = std::numeric_limits<real>::epsilon();
  std::size_t wrong = 0, touched = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < out_step; ++j) {
      const real found = out[i * out_step + j];
      if (j >= n) {
        touched += found == 7 ? 0 : 1;
        continue;
      }
      double sum = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const double term = double(a[turn_a ? p * a_step + i : i * a_step + p]) *
                            double(b[turn_b ? j * b_step + p : p * b_step + j]);
        sum += term;
        size += std::abs(term);
      }
      wrong += std::abs(double(found) - sum) <= double(k) * unit * size ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(touched == 0);
}

TEST_CASE("product: whole and partial tiles, panels and depths, operands either way round") {
  for (const bool turn_a : {false, true}) {
    for (const bool turn_b : {false, true}) {
      check_product(1, 1, 9000, turn_a, turn_b);
      check_product(13, 67, 300, turn_a, turn_b);
      check_product(64, 256, 64, turn_a, turn_b);
      check_product(7, 130, 513, turn_a, turn_b);
      check_product(5, 3, 2, turn_a, turn_b);  // small: by the general product
      check_product(3, 4, 0, turn_a, turn_b);  // zeros
    }
  }
}

}  // namespace
}  // namespace attend::product_test
