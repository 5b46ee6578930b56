// SPDX-License-Identifier: Apache-2.0
#include "ops/random.h"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

namespace attend::random_test {
namespace {

TEST_CASE("Philox gives the published vectors") {
  // Salmon et al. 2011, the known-answer tests of their library.
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform draws fill 0 to 1 evenly") {
  const RandomStream stream(7, "score.W1");
  std::array<int, 16> bins{};
  double mean = 0;
  constexpr int draws = 16'000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const double u = stream.uniform(i);
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    CHECK(static_cast<double>(static_cast<float>(u)) == u);
    ++bins[static_cast<std::size_t>(u * 16)];
    mean += u / draws;
  }
  CHECK(mean == doctest::Approx(0.5).epsilon(0.02));
  for (const int count : bins) CHECK(std::abs(count - draws / 16) < 150);  // five deviations
}

TEST_CASE("choices in a row are those of single draws, wherever the row begins and ends") {
  const RandomStream stream(7, "choices");
  for (const double limit : {0.0, 0.12, 0.5, 1.0}) {
    for (const std::uint64_t first : {0ULL, 1ULL, 6ULL, 31ULL, (1ULL << 34U) - 3}) {
      for (const std::size_t count : {0U, 1U, 5U, 32U, 77U}) {
        std::vector<real> row(count, 9);
        stream.choose(first, limit, -1, 2, row);
        for (std::size_t i = 0; i < count; ++i)
          REQUIRE(row[i] == (stream.uniform(first + i) < limit ? -1 : 2));
      }
    }
  }
}

TEST_CASE("streams of another name or seed are another sequence, and not correlated") {
  const RandomStream a(7, "query.W_Q"), b(7, "query.W_K"), c(8, "query.W_Q"), same(7, "query.W_Q");
  double ab = 0, ac = 0, next = 0;
  constexpr int draws = 10'000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    CHECK(a.uniform(i) == same.uniform(i));
    const double x = a.uniform(i) - 0.5;
    ab += x * (b.uniform(i) - 0.5) * 12 / draws;
    ac += x * (c.uniform(i) - 0.5) * 12 / draws;
    next += x * (a.uniform(i + 1) - 0.5) * 12 / draws;
  }
  CHECK(std::abs(ab) < 0.05);
  CHECK(std::abs(ac) < 0.05);
  CHECK(std::abs(next) < 0.05);
}

TEST_CASE("normal draws are the quantiles of their uniform number") {
  const RandomStream stream(3, "normal");
  double mean = 0, square = 0;
  constexpr int draws = 20'000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    // The word behind the draw: a whole number below 2^32.
    const double u =
        (static_cast<double>(stream.below(i, std::uint64_t{1} << 32U)) + 0.5) * 0x1p-32;
    const double x = stream.normal(i);
    const double tail = std::min(u, 1 - u), found = 0.5 * std::erfc(std::abs(x) / std::sqrt(2.0));
    CHECK(std::abs(found - tail) <= 1e-13 * tail);
    CHECK((x > 0) == (u > 0.5));
    mean += x / draws;
    square += x * x / draws;
  }
  CHECK(std::abs(mean) < 0.03);
  CHECK(square == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("gumbel, coin and whole numbers follow their distributions") {
  const RandomStream stream(11, "gumbel");
  double gumbel = 0, coin = 0;
  std::array<int, 5> dice{};
  constexpr int draws = 10'000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    gumbel += stream.gumbel(i) / draws;
    coin += stream.coin(i) / draws;
    ++dice.at(static_cast<std::size_t>(stream.below(i, 5)));
  }
  CHECK(gumbel == doctest::Approx(0.57722).epsilon(0.07));  // Euler's constant
  CHECK(coin == doctest::Approx(0.5).epsilon(0.04));
  for (const int count : dice) CHECK(std::abs(count - draws / 5) < 200);
}

TEST_CASE("portable_log is the logarithm") {
  CHECK(portable_log(1) == 0);
  for (int i = -3000; i <= 3000; ++i) {
    const double x = std::exp(i * 0.2);
    CHECK(std::abs(portable_log(x) - std::log(x)) <= 1e-15 * std::max(1.0, std::abs(std::log(x))));
    const double near = 1 + i * 1e-5;
    CHECK(std::abs(portable_log(near) - std::log(near)) <= 1e-15);
  }
}

TEST_CASE("the same numbers, to the bit, on every machine") {
  const RandomStream stream(7, "score.W1");
  CHECK(stream.uniform(0) == 0x1.4f3fp-3);
  CHECK(stream.normal(0) == -0x1.f572348dcacddp-1);
  CHECK(stream.gumbel(0) == -0x1.2fb6b71c71999p-1);
  CHECK(stream.uniform(2) == 0x1.e1f37p-2);
  CHECK(stream.normal(2) == -0x1.2d8f37f2bad02p-4);
  CHECK(stream.gumbel(2) == 0x1.21a498d3681adp-2);
  CHECK(stream.normal(28) == -0x1.6fd2ccaba3321p+1);  // from the tail's formula
  CHECK(stream.gumbel(1'000'000) == 0x1.10e49337394cbp-1);
  const RandomStream last(~std::uint64_t{0}, "");
  CHECK(last.uniform(std::uint64_t{5} << 32U) == 0x1.05ff4p-2);
  CHECK(last.normal(3) == -0x1.4e0551b37fba6p-1);
  CHECK(last.below(9, 1000) == 964);
}

}  // namespace
}  // namespace attend::random_test
