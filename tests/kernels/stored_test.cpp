// SPDX-License-Identifier: Apache-2.0
#include "kernels/stored.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <string>
#include <vector>

#include "kernels/half.h"

namespace attend::kernels::stored_test {
namespace {

enum class Scale { none, whole, by_row, by_column };

// A stored matrix with what its numbers are, in double.
struct Stored {
  std::vector<std::byte> bytes;
  std::vector<real> scale;
  std::vector<double> numbers;
  StoredMatrix matrix;

  Stored(WeightType type, std::size_t rows, std::size_t columns, Scale kind) {
    std::mt19937 random(static_cast<unsigned>(rows * 100 + columns));
    const std::size_t width = width_of(type);
    // One byte of padding, so that no number lies where its type would ask for.
    bytes.resize(1 + rows * columns * width);
    scale.resize(kind == Scale::by_row ? rows : kind == Scale::by_column ? columns : 1);
    for (real& x : scale) x = static_cast<real>(.25 + static_cast<double>(random() % 64) / 64);
    matrix = {type, bytes.data() + 1, rows, columns};
    if (kind != Scale::none) matrix.scale = scale.data();
    matrix.row_step = kind == Scale::by_row ? 1 : 0;
    matrix.column_step = kind == Scale::by_column ? 1 : 0;
    for (std::size_t at = 0; at < rows * columns; ++at) {
      double x = write(bytes.data() + 1 + at * width, type, static_cast<unsigned>(random()));
      const std::size_t place = at / columns * matrix.row_step + at % columns * matrix.column_step;
      if (kind != Scale::none) x *= static_cast<double>(scale[place]);
      numbers.push_back(x);
    }
  }

  static double write(std::byte* to, WeightType type, unsigned random) {
    const auto put = [to](auto x) { std::memcpy(to, &x, sizeof(x)); };
    const double some = static_cast<double>(random % 2000) / 1000 - 1;
    switch (type) {
      case WeightType::f64:
        put(some);
        return some;
      case WeightType::f32:
        put(static_cast<float>(some));
        return static_cast<double>(static_cast<float>(some));
      case WeightType::f16: {
        // Every exponent of a finite half, the smallest numbers too.
        const auto half =
            static_cast<std::uint16_t>(random % 7 == 0 ? random & 0x83ffU : random & 0xbfffU);
        put(half);
        return static_cast<double>(float_of_half(half));
      }
      case WeightType::bf16: {
        const auto upper = static_cast<std::uint16_t>(
            std::bit_cast<std::uint32_t>(static_cast<float>(some)) >> 16U);
        put(upper);
        return static_cast<double>(float_of_upper_half(upper));
      }
      case WeightType::i8:
        break;
    }
    const auto byte = static_cast<std::int8_t>(random & 255U);
    put(byte);
    return byte;
  }
};

constexpr double precision = sizeof(real) == 8 ? 1e-13 : 3e-6;

void check_product(WeightType type, Scale scale, bool transposed, bool a_transposed, std::size_t m,
                   std::size_t n, std::size_t k) {
  const Stored b(type, transposed ? n : k, transposed ? k : n, scale);
  std::vector<real> a(m * k), out(m * (n + 3), real(-7));
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<real>(std::sin(static_cast<double>(i + 1)));
  matmul_stored({a.data(), a_transposed ? m : k, a_transposed}, b.matrix, transposed, out.data(),
                n + 3, m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const double x = static_cast<double>(a[a_transposed ? p * m + i : i * k + p]);
        const double product = x * b.numbers[transposed ? j * k + p : p * n + j];
        sum += product;
        size += std::abs(product);
      }
      REQUIRE(std::abs(static_cast<double>(out[i * (n + 3) + j]) - sum) <=
              precision * (size + 1e-6));
    }
    for (std::size_t j = n; j < n + 3 && i + 1 < m; ++j) REQUIRE(out[i * (n + 3) + j] == real(-7));
  }
}

constexpr WeightType types[] = {WeightType::f64, WeightType::f32, WeightType::f16, WeightType::bf16,
                                WeightType::i8};

}  // namespace

TEST_CASE("numbers of every type are unpacked from any place, with their scales") {
  for (const WeightType type : types) {
    for (const Scale scale : {Scale::none, Scale::whole, Scale::by_row, Scale::by_column}) {
      const Stored x(type, 9, 37, scale);
      for (const auto& [from, count] : {std::pair{0, 333}, {5, 100}, {36, 2}, {330, 3}, {7, 0}}) {
        std::vector<real> out(static_cast<std::size_t>(count));
        unpack(x.matrix, static_cast<std::size_t>(from), out.size(), out.data());
        for (std::size_t i = 0; i < out.size(); ++i) {
          const double wanted = x.numbers[static_cast<std::size_t>(from) + i];
          REQUIRE(static_cast<double>(out[i]) == doctest::Approx(wanted).epsilon(1e-7));
        }
      }
    }
  }
}

TEST_CASE("a product with a stored matrix is that with its numbers") {
  for (const WeightType type : types) {
    for (const Scale scale : {Scale::none, Scale::whole, Scale::by_row, Scale::by_column}) {
      for (const bool transposed : {false, true}) {
        check_product(type, scale, transposed, false, 1, 37, 53);
        check_product(type, scale, transposed, true, 1, 16, 8);
        check_product(type, scale, transposed, false, 3, 33, 19);
        check_product(type, scale, transposed, true, 5, 7, 300);
        check_product(type, scale, transposed, false, 1, 1, 1);
      }
    }
  }
}

TEST_CASE("more columns and rows than fit a block are multiplied block by block") {
  for (const bool transposed : {false, true}) {
    check_product(WeightType::i8, Scale::by_column, transposed, false, 1, 2100, 70);
    check_product(WeightType::f16, Scale::none, transposed, false, 2, 150, 2100);
  }
}

TEST_CASE("a row times a stored matrix that is read in several streams") {
  for (const WeightType type : types) {
    for (const auto& [n, k] : {std::pair{701, 403}, {4500, 62}, {64, 4100}, {66, 31}})
      check_product(type, Scale::by_column, false, false, 1, static_cast<std::size_t>(n),
                    static_cast<std::size_t>(k));
  }
}

TEST_CASE("a row times halves has the numbers of the unpacked matrix, bit by bit") {
  for (const WeightType type : {WeightType::f16, WeightType::bf16}) {
    for (const auto& [n, k] : {std::pair{704u, 403u}, {64u, 300u}, {96u, 50u}}) {
      const Stored b(type, k, n, Scale::none);
      std::vector<real> a(k), unpacked(k * n), out(n), wanted(n);
      for (std::size_t p = 0; p < k; ++p)
        a[p] = static_cast<real>(std::sin(static_cast<double>(p)));
      unpack(b.matrix, 0, unpacked.size(), unpacked.data());
      matmul_stored({a.data(), k, false}, b.matrix, false, out.data(), n, 1);
      matmul({a.data(), k, false}, {unpacked.data(), n, false}, wanted.data(), n, 1, n, k);
      // In double a large matrix is widened block by block, so its rows are not read in streams.
      double worst = 0;
      for (std::size_t j = 0; j < n; ++j)
        worst = std::max(worst, static_cast<double>(std::abs(out[j] - wanted[j])));
      CHECK(worst <= (sizeof(real) == 8 ? 1e-12 : 0));
    }
  }
}

namespace {

// The largest error of a row times bytes, measured by the largest number of the row and the bytes that it meets.
double error_with(const std::vector<real>& a, std::int8_t (*byte_at)(std::size_t), std::size_t n,
                  bool transposed) {
  const std::size_t k = a.size();
  std::vector<std::int8_t> bytes(n * k);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = byte_at(i);
  std::vector<real> out(n);
  const StoredMatrix b{WeightType::i8, reinterpret_cast<const std::byte*>(bytes.data()),
                       transposed ? n : k, transposed ? k : n};
  matmul_stored({a.data(), k, false}, b, transposed, out.data(), n, 1);
  double most = 0, largest = 0;
  for (const real x : a) largest = std::max(largest, std::abs(static_cast<double>(x)));
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0, size = 0;
    for (std::size_t p = 0; p < k; ++p) {
      const double byte = bytes[transposed ? j * k + p : p * n + j];
      sum += static_cast<double>(a[p]) * byte;
      size += std::abs(byte);
    }
    const double off = std::abs(static_cast<double>(out[j]) - sum) - std::abs(sum) * 0x1p-22;
    most = std::max(most, off / (size * largest));
  }
  return most;
}

std::int8_t mixed(std::size_t i) { return static_cast<std::int8_t>(i * 2654435761U >> 13U); }
std::int8_t lowest(std::size_t) { return -128; }

}  // namespace

TEST_CASE("a row meets bytes as whole numbers of 30 bits") {
  for (const bool transposed : {false, true}) {
    for (const std::size_t k : {std::size_t{1}, std::size_t{7}, std::size_t{512}, std::size_t{513},
                                std::size_t{2049}, std::size_t{5000}}) {
      CAPTURE(k);
      std::vector<real> a(k);
      for (std::size_t i = 0; i < k; ++i)
        a[i] = static_cast<real>(std::sin(static_cast<double>(3 * i + 1)));
      CHECK(error_with(a, mixed, 21, transposed) <= 0x1p-28);
      // One number is much larger than all others.
      a[k / 2] = real(-3000);
      CHECK(error_with(a, mixed, 21, transposed) <= 0x1p-28);
      // Sums as large as they can be.
      std::ranges::fill(a, real(0x1.fffffep7));
      CHECK(error_with(a, lowest, 19, transposed) <= 0x1p-28);
      std::ranges::fill(a, real(-0x1p-89));
      CHECK(error_with(a, mixed, 19, transposed) <= 0x1p-28);
    }
    CHECK(error_with({1, 2, 3}, mixed, 4500, transposed) <= 0x1p-28);
    CHECK(error_with(std::vector<real>(1027, real(1.5)), mixed, 71, transposed) <= 0x1p-28);
  }
}

TEST_CASE("a row that has no such whole numbers meets bytes as it is") {
  const std::int8_t bytes[] = {1, 2, 3, 4};
  for (const bool transposed : {false, true}) {
    const StoredMatrix b{WeightType::i8, reinterpret_cast<const std::byte*>(bytes), 2, 2};
    const auto product = [&](std::vector<real> a) {
      std::vector<real> out(2);
      matmul_stored({a.data(), 2, false}, b, transposed, out.data(), 2, 1);
      return out;
    };
    CHECK(std::isnan(product({NAN, 1})[0]));
    CHECK(std::isinf(product({INFINITY, 1})[1]));
    CHECK(product({0, 0}) == std::vector<real>{0, 0});
    const real small = real(0x1p-120);
    CHECK(product({small, 0}) ==
          (transposed ? std::vector<real>{small, 3 * small} : std::vector<real>{small, 2 * small}));
  }
}

TEST_CASE("a product of several rows is that of the unpacked matrix, bit by bit") {
  for (const bool transposed : {false, true}) {
    const Stored b(WeightType::i8, 40, 70, Scale::by_column);
    const std::size_t k = transposed ? 70 : 40, n = transposed ? 40 : 70;
    std::vector<real> a(6 * k), unpacked(40 * 70), out(6 * n), wanted(6 * n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<real>(i % 13) / 7;
    unpack(b.matrix, 0, unpacked.size(), unpacked.data());
    matmul_stored({a.data(), k, false}, b.matrix, transposed, out.data(), n, 6);
    matmul({a.data(), k, false}, {unpacked.data(), 70, transposed}, wanted.data(), n, 6, n, k);
    CHECK(out == wanted);
  }
}

}  // namespace attend::kernels::stored_test
