// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tests/kernels/sweep.h"

namespace attend::matmul_test {
namespace {

using kernels::Operand;
using kernels::Terms;

// A matrix in memory of its own, rows `extra` elements further apart than they must be, starting at
// an odd place; with `transposed`, what lies in memory is the transpose.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t cols, bool transposed, std::size_t extra, std::uint64_t seed)
      : offset_(extra % 4), stride_((transposed ? rows : cols) + extra), transposed_(transposed) {
    const std::size_t lines = transposed ? cols : rows;
    const std::size_t length = transposed ? rows : cols;
    // Ends with the last element, so that a sanitizer sees any read past it.
    const std::size_t size = lines == 0 || length == 0 ? 0 : (lines - 1) * stride_ + length;
    memory_ = sweep::Numbers(seed).list(offset_ + size, -1, 1);
  }
  Operand operand() const { return {memory_.data() + offset_, stride_, transposed_}; }
  real& at(std::size_t i, std::size_t j) {
    return memory_[offset_ + (transposed_ ? j * stride_ + i : i * stride_ + j)];
  }

 private:
  std::size_t offset_;
  std::size_t stride_;
  bool transposed_;
  std::vector<real> memory_;
};

// The products' sum as sixteen chains over every sixteenth of them, and what is left.
real sum_by_lanes(const std::vector<real>& products) {
  std::array<real, 16> lanes{};
  const std::size_t whole = products.size() / lanes.size() * lanes.size();
  for (std::size_t p = 0; p < whole; ++p) lanes[p % lanes.size()] += products[p];
  real sum = 0;
  for (const real lane : lanes) sum += lane;
  for (std::size_t p = whole; p < products.size(); ++p) sum += products[p];
  return sum;
}

// As one chain that takes one of each quarter in turns, and what is left.
real sum_by_quarters(const std::vector<real>& products) {
  const std::size_t quarter = products.size() / 4;
  real sum = 0;
  for (std::size_t p = 0; p < 4 * quarter; ++p) sum += products[p % 4 * quarter + p / 4];
  for (std::size_t p = 4 * quarter; p < products.size(); ++p) sum += products[p];
  return sum;
}

// Whether every element is right: close to the sum in a wider type and, unless the build fuses multiply and add,
// exactly the chain, or chains, that the header promises. Fused terms may be rounded once or twice each, but all alike.
bool right(Matrix& a, Matrix& b, const real* out, std::size_t out_stride, std::size_t m,
           std::size_t n, std::size_t k, Terms terms) {
  const bool built_fused = kernels::fuses_multiply_add();
  const Operand row = a.operand();
  const bool by_lanes = m == 1 && b.operand().transposed && n * k >= (1U << 14U) &&
                        (!row.transposed || row.stride == 1);
  const bool by_quarters =
      m == 1 && !b.operand().transposed && n * k >= (1U << 18U) && n != 64 && !by_lanes;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      real chain = 0, once = 0;
      sweep::wide sum = 0, magnitude = 0;
      std::vector<real> products;
      for (std::size_t p = 0; p < k; ++p) {
        const real product = a.at(i, p) * b.at(p, j);
        chain += product;
        if (terms == Terms::fused) once = std::fma(a.at(i, p), b.at(p, j), once);
        if (by_lanes || by_quarters) products.push_back(product);
        const sweep::wide term = sweep::wide(a.at(i, p)) * b.at(p, j);
        sum += term;
        magnitude += std::fabs(term);
      }
      if (by_lanes) chain = sum_by_lanes(products);
      if (by_quarters) chain = sum_by_quarters(products);
      const real got = out[i * out_stride + j];
      const sweep::wide bound = static_cast<sweep::wide>(k) * sweep::epsilon * magnitude;
      const bool exact = got == chain || (terms == Terms::fused && (by_lanes || got == once));
      if (!(std::fabs(got - sum) <= bound) || (!built_fused && !exact)) {
        CAPTURE(i);
        CAPTURE(j);
        CHECK(got == doctest::Approx(static_cast<double>(sum)).epsilon(0));
        return false;
      }
    }
  }
  return true;
}

void check_product(std::size_t m, std::size_t n, std::size_t k, bool a_transposed,
                   bool b_transposed, std::size_t extra, Terms terms) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(a_transposed);
  CAPTURE(b_transposed);
  CAPTURE(extra);
  Matrix a(m, k, a_transposed, extra, 5);
  Matrix b(k, n, b_transposed, extra, 6);
  const std::size_t out_stride = n + extra;
  sweep::Guarded out(m == 0 || n == 0 ? 0 : (m - 1) * out_stride + n, extra % 3);
  const std::vector<real> before(out.span().begin(), out.span().end());
  kernels::matmul(a.operand(), b.operand(), out.data(), out_stride, m, n, k, terms);
  CHECK(right(a, b, out.data(), out_stride, m, n, k, terms));
  CHECK(out.intact());
  bool gaps_untouched = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (i % out_stride >= n && out.span()[i] != before[i]) gaps_untouched = false;
  }
  CHECK(gaps_untouched);
}

void check_layouts(std::size_t m, std::size_t n, std::size_t k, Terms terms = Terms::apart) {
  for (const bool a_transposed : {false, true}) {
    for (const bool b_transposed : {false, true}) {
      for (const std::size_t extra : {0u, 3u}) {
        check_product(m, n, k, a_transposed, b_transposed, extra, terms);
      }
    }
  }
}

TEST_CASE("matmul: every tail of every size, both layouts of both operands, strides") {
  for (const std::size_t m : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 17u}) {
    for (const std::size_t n : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 32u, 33u}) {
      for (const std::size_t k : {0u, 1u, 2u, 3u, 4u, 5u, 8u, 17u}) check_layouts(m, n, k);
    }
  }
}

TEST_CASE("matmul: sizes that cross the cache blocks and are packed") {
  const std::size_t sizes[][3] = {{65, 129, 257}, {130, 70, 300}, {31, 600, 40},   {300, 3, 513},
                                  {3, 300, 513},  {129, 513, 9},  {40, 1030, 260}, {600, 31, 70},
                                  {150, 800, 30}, {26, 140, 700}, {25, 1540, 20},  {290, 300, 70}};
  for (const auto& size : sizes) check_layouts(size[0], size[1], size[2]);
}

TEST_CASE("matmul: fused terms, every tail of a tile and sizes that are packed") {
  for (const std::size_t m : {2u, 3u, 6u, 7u, 11u, 12u, 13u, 26u}) {
    for (const std::size_t n : {2u, 3u, 9u, 15u, 17u, 33u}) {
      for (const std::size_t k : {0u, 1u, 5u, 17u}) check_layouts(m, n, k, Terms::fused);
    }
  }
  const std::size_t sizes[][3] = {
      {65, 129, 257}, {150, 800, 30}, {40, 1030, 260}, {600, 31, 70}, {290, 300, 70}};
  for (const auto& size : sizes) check_layouts(size[0], size[1], size[2], Terms::fused);
}

// A chain of one kind throughout: 1 - (1 - 2^-h)(1 + 2^-h) is 2^-2h rounded once, and 0 rounded twice.
TEST_CASE("matmul: fused terms are rounded once in every tile, or in none") {
  const real small = std::ldexp(real(1), -std::numeric_limits<real>::digits / 2 - 1);
  std::vector<real> first;  // of every product
  for (const std::size_t m : {2u, 5u, 13u, 70u}) {
    for (const std::size_t n : {2u, 9u, 40u, 300u}) {
      CAPTURE(m);
      CAPTURE(n);
      std::vector<real> a(m * 2), b(2 * n), out(m * n);
      for (std::size_t i = 0; i < m; ++i) a[2 * i] = 1, a[2 * i + 1] = small - 1;
      for (std::size_t j = 0; j < n; ++j) b[j] = 1, b[n + j] = 1 + small;
      kernels::matmul({a.data(), 2, false}, {b.data(), n, false}, out.data(), n, m, n, 2,
                      Terms::fused);
      first.push_back(out[0]);
      CHECK((out[0] == 0 || out[0] == small * small));
      CHECK(std::count(out.begin(), out.end(), first[0]) == static_cast<long>(out.size()));
    }
  }
}

TEST_CASE(
    "matmul: one row times a matrix beyond the cache, whatever is left of its columns and rows") {
  const std::size_t sizes[][2] = {{70, 300}, {1024, 16}, {1030, 257}, {2051, 9},
                                  {3, 6000}, {4500, 61}, {64, 4100},  {65, 4099}};
  for (const auto& [n, k] : sizes) check_layouts(1, n, k);
}

TEST_CASE("matmul: infinity and NaN reach exactly the elements that use them") {
  Matrix a(5, 6, false, 0, 7);
  Matrix b(6, 9, false, 0, 8);
  a.at(2, 3) = sweep::nan;
  b.at(0, 7) = sweep::infinity;
  a.at(1, 0) = 0;  // 0 times infinity is NaN: zeros are not skipped
  std::vector<real> out(5 * 9);
  kernels::matmul(a.operand(), b.operand(), out.data(), 9, 5, 9, 6);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const real got = out[i * 9 + j];
      CHECK(std::isnan(got) == (i == 2 || (i == 1 && j == 7)));
      CHECK(std::isinf(got) == (j == 7 && i != 2 && i != 1));
    }
  }
}

void check_batch(std::size_t m, std::size_t n, std::size_t k, std::size_t count = 3) {
  for (const bool share_a : {false, true}) {
    for (const bool share_b : {false, true}) {
      CAPTURE(m);
      CAPTURE(share_a);
      CAPTURE(share_b);
      // The heads lie side by side in the rows of a, one below the other in b and in the result.
      const auto a = sweep::Numbers(9).list(m * count * k, -1, 1);
      const auto b = sweep::Numbers(10).list(count * k * n, -1, 1);
      const std::size_t a_step = share_a ? 0 : k;
      const std::size_t b_step = share_b ? 0 : k * n;
      std::vector<real> batch(count * m * n), single(m * n);
      kernels::matmul_batch({a.data(), count * k, false}, a_step, {b.data(), n, false}, b_step,
                            batch.data(), n, m * n, count, m, n, k);
      for (std::size_t t = 0; t < count; ++t) {
        kernels::matmul({a.data() + t * a_step, count * k, false},
                        {b.data() + t * b_step, n, false}, single.data(), n, m, n, k);
        CHECK(
            std::equal(single.begin(), single.end(), batch.begin() + static_cast<long>(t * m * n)));
      }
    }
  }
}

TEST_CASE("matmul_batch: heads with operands of their own and with a shared one") {
  check_batch(6, 11, 5);
  // All of a shared operand is packed once for the batch.
  check_batch(64, 70, 300);
  check_batch(26, 64, 530);
  // As its transpose, because the result is narrow.
  check_batch(300, 3, 260);
}

TEST_CASE("matmul: one row of each head times a small matrix is one chain, too") {
  for (const std::size_t k : {0u, 1u, 2u, 7u, 128u}) {
    for (const std::size_t n : {1u, 3u, 4u, 63u, 64u, 65u}) check_layouts(1, n, k);
    for (const std::size_t count : {1u, 4u, 5u, 12u}) check_batch(1, 64, k, count);
  }
}

}  // namespace
}  // namespace attend::matmul_test
