// SPDX-License-Identifier: Apache-2.0
// Rows that are rounded to whole numbers before they are multiplied with a matrix of bytes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <vector>

#include "kernels/rounded_rows.h"
#include "kernels/stored.h"

namespace attend::kernels::byte_rows_test {
namespace {

enum class Scale { none, by_row, by_column };

// A matrix of bytes with its sums.
struct Bytes {
  std::size_t rows, columns;
  Scale kind;
  std::vector<std::int8_t> numbers;
  std::vector<real> scale;
  std::vector<std::int32_t> of_rows, of_columns;

  Bytes(std::size_t some_rows, std::size_t some_columns, Scale scales)
      : rows(some_rows), columns(some_columns), kind(scales) {
    std::mt19937 random(static_cast<unsigned>(rows * 100 + columns));
    numbers.resize(rows * columns);
    for (std::int8_t& x : numbers) x = static_cast<std::int8_t>(random() & 255U);
    scale.resize(std::max(rows, columns));
    for (real& x : scale) x = static_cast<real>(.25 + static_cast<double>(random() % 64) / 64);
    count();
  }

  void count() {
    of_rows.assign(rows, 0);
    of_columns.assign(columns, 0);
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      of_rows[at / columns] += numbers[at];
      of_columns[at % columns] += numbers[at];
    }
  }

  [[nodiscard]] StoredMatrix matrix() const {
    StoredMatrix m{WeightType::i8, reinterpret_cast<const std::byte*>(numbers.data()), rows,
                   columns};
    if (kind != Scale::none) m.scale = scale.data();
    m.row_step = kind == Scale::by_row ? 1 : 0;
    m.column_step = kind == Scale::by_column ? 1 : 0;
    m.row_sums = of_rows.data();
    m.column_sums = of_columns.data();
    return m;
  }

  [[nodiscard]] double scale_at(std::size_t i, std::size_t j) const {
    if (kind == Scale::none) return 1;
    return static_cast<double>(scale[kind == Scale::by_row ? i : j]);
  }
};

constexpr double precision = sizeof(real) == 8 ? 1e-12 : 4e-6;

// The definition: whole numbers 0 to 127 between the smallest and the largest of the row, which a scale by what the row
// meets has multiplied before.
std::vector<double> rounded(const std::vector<double>& row) {
  const auto [least, most] = std::minmax_element(row.begin(), row.end());
  const double step = (*most - *least) / 127;
  std::vector<double> out(row);
  for (double& x : out) x = step > 0 ? *least + step * std::floor((x - *least) / step + .5) : x;
  return out;
}

void check(Scale scale, bool transposed, bool a_transposed, std::size_t m, std::size_t n,
           std::size_t k) {
  const Bytes b(transposed ? n : k, transposed ? k : n, scale);
  std::vector<real> a(m * k), out(m * (n + 3), real(-7));
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<real>(std::sin(static_cast<double>(i + 1)) - .3);
  matmul_stored({a.data(), a_transposed ? m : k, a_transposed}, b.matrix(), transposed, out.data(),
                n + 3, m);
  for (std::size_t i = 0; i < m; ++i) {
    std::vector<double> row(k);
    const bool inner_scale = scale == (transposed ? Scale::by_column : Scale::by_row);
    for (std::size_t p = 0; p < k; ++p)
      row[p] = static_cast<double>(a[a_transposed ? p * m + i : i * k + p]) *
               (inner_scale ? static_cast<double>(b.scale[p]) : 1);
    const std::vector<double> whole = rounded(row);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const std::size_t r = transposed ? j : p, c = transposed ? p : j;
        const double by = inner_scale ? 1 : b.scale_at(r, c);
        sum += whole[p] * b.numbers[r * b.columns + c] * by;
        size += std::abs(b.numbers[r * b.columns + c] * by);
      }
      REQUIRE(std::abs(static_cast<double>(out[i * (n + 3) + j]) - sum) <= precision * (size + 1));
    }
    for (std::size_t j = n; j < n + 3 && i + 1 < m; ++j) REQUIRE(out[i * (n + 3) + j] == real(-7));
  }
}

}  // namespace

TEST_CASE("rows that are rounded are multiplied with bytes, in every layout") {
  for (const Scale scale : {Scale::none, Scale::by_row, Scale::by_column}) {
    for (const bool transposed : {false, true}) {
      check(scale, transposed, false, 1, 37, 53);
      check(scale, transposed, true, 1, 16, 8);
      check(scale, transposed, false, 3, 33, 19);
      check(scale, transposed, true, 5, 7, 300);
      check(scale, transposed, false, 4, 64, 64);
      check(scale, transposed, false, 6, 130, 66);
      check(scale, transposed, false, 1, 1, 1);
      check(scale, transposed, false, 1, 64, 103);  // blocks, streams, rows left
      check(scale, transposed, false, 1, 4099, 9);  // more columns than go by together
      check(scale, transposed, false, 2, 1, 3);
    }
  }
}

TEST_CASE("the largest whole numbers are added up exactly") {
  for (const bool transposed : {false, true}) {
    for (const std::size_t m : {std::size_t{1}, std::size_t{3}}) {
      const std::size_t k = 4096;
      Bytes b(transposed ? 16 : k, transposed ? k : 16, Scale::none);
      std::fill(b.numbers.begin(), b.numbers.end(), std::int8_t(-128));
      b.count();
      std::vector<real> a(m * k, real(127)), out(m * 16);
      for (std::size_t i = 0; i < m; ++i) a[i * k] = 0;
      matmul_stored({a.data(), k, false}, b.matrix(), transposed, out.data(), 16, m);
      for (const real x : out) CHECK(x == real(127.0 * -128.0 * 4095.0));
    }
  }
}

TEST_CASE("a row of equal numbers is exact, and one that is not finite spreads") {
  const Bytes b(40, 20, Scale::none);
  std::vector<real> a(3 * 40, real(2.5)), out(3 * 20);
  a[40 + 7] = std::numeric_limits<real>::quiet_NaN();
  a[80 + 39] = std::numeric_limits<real>::infinity();
  matmul_stored({a.data(), 40, false}, b.matrix(), false, out.data(), 20, 3);
  for (std::size_t j = 0; j < 20; ++j) {
    CHECK(static_cast<double>(out[j]) == 2.5 * b.of_columns[j]);
    CHECK(std::isnan(out[20 + j]));
    CHECK(std::isnan(out[40 + j]));
  }
}

TEST_CASE("a row has the same numbers alone as among others, bit by bit") {
  for (const bool transposed : {false, true}) {
    for (const std::size_t n : {std::size_t{70}, std::size_t{4200}}) {
      const std::size_t k = 53;
      const Bytes b(transposed ? n : k, transposed ? k : n, Scale::by_column);
      std::vector<real> a(5 * k), all(5 * n), alone(n);
      for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<real>(std::cos(static_cast<double>(i)));
      matmul_stored({a.data(), k, false}, b.matrix(), transposed, all.data(), n, 5);
      for (std::size_t i = 0; i < 5; ++i) {
        matmul_stored({a.data() + i * k, k, false}, b.matrix(), transposed, alone.data(), n, 1);
        REQUIRE(std::equal(alone.begin(), alone.end(), all.begin() + static_cast<long>(i * n)));
      }
    }
  }
}

TEST_CASE("products in turn share rows that they round, and round others anew") {
  const std::size_t k = 53, n = 20, m = 3;
  const Bytes first(k, n, Scale::by_column), second(k, n, Scale::none), other(k, n, Scale::by_row);
  std::vector<real> a(2 * m * k);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<real>(std::sin(static_cast<double>(i)));
  RoundedRows rounded;
  const auto check = [&](const Bytes& b, std::size_t from, std::size_t rows) {
    const Operand x{a.data() + from * k, k, false};
    std::vector<real> together(rows * n), alone(rows * n);
    matmul_stored(x, b.matrix(), false, together.data(), n, rows, rounded);
    matmul_stored(x, b.matrix(), false, alone.data(), n, rows);
    REQUIRE(together == alone);
  };
  check(first, 0, m);
  check(second, 0, m);
  check(first, m, m);
  check(first, m, 2);
  check(first, m, m);
  check(first, m, 2);
  check(other, m, 2);
  check(other, 0, 2);
  check(second, 0, 2);
  check(second, 0, m);  // of the same rows more than are held
  // Whoever keeps them says that they are the same rows: changed numbers are not seen.
  std::vector<real> before(2 * n), after(2 * n);
  matmul_stored({a.data(), k, false}, second.matrix(), false, before.data(), n, 2, rounded);
  a[0] = real(9);
  matmul_stored({a.data(), k, false}, second.matrix(), false, after.data(), n, 2, rounded);
  CHECK(before == after);
  rounded.forget();
  check(second, 0, 2);
}

TEST_CASE(
    "rows at the ends of what there is: none, no numbers, too many to add up, all but equal") {
  std::vector<real> out(3, real(-7));
  const Bytes none(0, 3, Scale::none);
  matmul_stored({out.data(), 0, false}, none.matrix(), false, out.data(), 3, 1);
  CHECK(out == std::vector<real>(3, real(0)));
  const Bytes some(4, 3, Scale::none);
  out.assign(3, real(-7));
  matmul_stored({out.data(), 4, false}, some.matrix(), false, out.data(), 3, 0);
  CHECK(out == std::vector<real>(3, real(-7)));
  // Sums of 32 bits hold 2^17 products; beyond, rows are not rounded.
  for (const std::size_t k : {std::size_t{1} << 17U, (std::size_t{1} << 17U) + 1}) {
    Bytes long_column(k, 1, Scale::none);
    std::fill(long_column.numbers.begin(), long_column.numbers.end(), std::int8_t(-128));
    long_column.count();
    std::vector<real> a(k, real(127));
    a[0] = 0;
    matmul_stored({a.data(), k, false}, long_column.matrix(), false, out.data(), 1, 1);
    CHECK(static_cast<double>(out[0]) ==
          doctest::Approx(-127.0 * 128.0 * static_cast<double>(k - 1)).epsilon(1e-3));
  }
  // Numbers whose step has no reciprocal become the smallest one.
  const std::vector<real> a{real(0), std::numeric_limits<real>::denorm_min(), real(0), real(0)};
  matmul_stored({a.data(), 4, false}, some.matrix(), false, out.data(), 3, 1);
  CHECK(out == std::vector<real>(3, real(0)));
}

}  // namespace attend::kernels::byte_rows_test
