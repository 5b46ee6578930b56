// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise.h"

#include <string>

#include "tests/kernels/sweep.h"

namespace attend::elementwise_test {
namespace {

using sweep::wide;
using Kernel = void (*)(std::span<const real>, std::span<real>);

struct Case {
  std::string name;
  Kernel kernel;
  wide (*expected)(wide);
  double low, high;  // where the accuracy is promised
  double ulps;       // the promise
};

wide sigmoid(wide x) { return 1 / (1 + std::exp(-x)); }
wide sign(wide x) { return x > 0 ? wide(1) : x < 0 ? wide(-1) : 0 * x; }

// Every kernel of one argument. A kernel with two rows is tested over two ranges.
const Case cases[] = {
    {"exp", kernels::exp, [](wide x) { return std::exp(x); }, -87.3, 88.7, 2},
    {"exp near 0", kernels::exp, [](wide x) { return std::exp(x); }, -1e-3, 1e-3, 1},
    {"log", kernels::log, [](wide x) { return std::log(x); }, 1e-6, 10, 2},
    {"log large", kernels::log, [](wide x) { return std::log(x); }, 1, 1e30, 2},
    {"sqrt", kernels::sqrt, [](wide x) { return std::sqrt(x); }, 0, 1e6, 0.51},
    {"tanh", kernels::tanh, [](wide x) { return std::tanh(x); }, -12, 12, 2},
    {"tanh near 0", kernels::tanh, [](wide x) { return std::tanh(x); }, -1e-3, 1e-3, 2},
    {"sigmoid", kernels::sigmoid, sigmoid, -80, 80, 2},
    {"sigmoid near 0", kernels::sigmoid, sigmoid, -2, 2, 2},
    {"relu", kernels::relu, [](wide x) { return x < 0 ? wide(0) : x; }, -9, 9, 0},
    {"absolute", kernels::absolute, [](wide x) { return std::fabs(x); }, -9, 9, 0},
    {"negative", kernels::negative, [](wide x) { return -x; }, -9, 9, 0},
    {"reciprocal", kernels::reciprocal, [](wide x) { return 1 / x; }, -9, 9, 0.51},
    {"sin", kernels::sin, [](wide x) { return std::sin(x); }, -7, 7, 2},
    {"sin far", kernels::sin, [](wide x) { return std::sin(x); }, -2000, 2000, 2},
    {"sin very far", kernels::sin, [](wide x) { return std::sin(x); }, -1e9, 1e9, 4},
    {"cos", kernels::cos, [](wide x) { return std::cos(x); }, -7, 7, 2},
    {"cos far", kernels::cos, [](wide x) { return std::cos(x); }, -2000, 2000, 2},
    {"cos very far", kernels::cos, [](wide x) { return std::cos(x); }, -1e9, 1e9, 4},
    {"erf", kernels::erf, [](wide x) { return std::erf(x); }, -5, 5, 3},
    {"erf near 0", kernels::erf, [](wide x) { return std::erf(x); }, -1e-3, 1e-3, 3},
    {"arccos", kernels::arccos, [](wide x) { return std::acos(x); }, -1, 1, 2},
    {"floor", kernels::floor, [](wide x) { return std::floor(x); }, -20, 20, 0},
    {"floor large", kernels::floor, [](wide x) { return std::floor(x); }, -1e10, 1e10, 0},
    {"ceil", kernels::ceil, [](wide x) { return std::ceil(x); }, -20, 20, 0},
    {"ceil large", kernels::ceil, [](wide x) { return std::ceil(x); }, -1e10, 1e10, 0},
    {"sign", kernels::sign, sign, -2, 2, 0},
};

real one(Kernel kernel, real x) {
  real y = 0;
  kernel(std::span(&x, 1), std::span(&y, 1));
  return y;
}

TEST_CASE("elementwise: every size, misaligned, nothing written past the end") {
  sweep::Numbers numbers(1);
  for (const Case& c : cases) {
    CAPTURE(c.name);
    sweep::sizes_and_offsets([&](std::size_t size, std::size_t offset) {
      const auto x = numbers.list(offset + size, c.low, c.high);
      sweep::Guarded y(size, offset + 1);
      c.kernel(std::span(x).subspan(offset), y.span());
      for (std::size_t i = 0; i < size; ++i) {
        CAPTURE(x[offset + i]);
        CHECK(sweep::ulps(y.data()[i], c.expected(x[offset + i])) <= c.ulps);
      }
      CHECK(y.intact());
    });
  }
}

TEST_CASE("elementwise: accuracy over the range, in place, the same at every position") {
  sweep::Numbers numbers(2);
  constexpr std::size_t count = 20011;
  for (const Case& c : cases) {
    CAPTURE(c.name);
    auto x = numbers.list(count, c.low, c.high);
    x[0] = static_cast<real>(c.low);
    x[1] = static_cast<real>(c.high);
    auto y = x;
    c.kernel(y, y);
    double worst = 0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < count; ++i) {
      worst = std::fmax(worst, sweep::ulps(y[i], c.expected(x[i])));
      if (one(c.kernel, x[i]) != y[i]) ++moved;
    }
    CHECK(worst <= c.ulps);
    CHECK(moved == 0);
  }
}

TEST_CASE("elementwise: NaN stays NaN, beside good numbers too") {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    std::vector<real> x(sweep::most_size, real(0.5));
    x[1] = x[sweep::most_size - 1] = sweep::nan;
    std::vector<real> y(x.size());
    c.kernel(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(sweep::ulps(y[i], c.expected(x[i])) <= c.ulps);
    }
  }
}

TEST_CASE("elementwise: the ends of the number line") {
  using sweep::infinity;
  CHECK(one(kernels::exp, infinity) == infinity);
  CHECK(one(kernels::exp, -infinity) == 0);
  CHECK(one(kernels::exp, 1000) == infinity);
  CHECK(one(kernels::exp, -1000) == 0);
  CHECK(one(kernels::exp, 0) == 1);
  CHECK(one(kernels::log, 0) == -infinity);
  CHECK(one(kernels::log, infinity) == infinity);
  CHECK(std::isnan(one(kernels::log, -1)));
  CHECK(std::isnan(one(kernels::sqrt, -1)));
  CHECK(one(kernels::tanh, infinity) == 1);
  CHECK(one(kernels::tanh, -1000) == -1);
  CHECK(one(kernels::sigmoid, infinity) == 1);
  CHECK(one(kernels::sigmoid, -infinity) == 0);
  CHECK(one(kernels::sigmoid, 0) == real(0.5));
  CHECK(one(kernels::reciprocal, 0) == infinity);
  CHECK(one(kernels::reciprocal, infinity) == 0);
  CHECK(std::isnan(one(kernels::sin, infinity)));
  CHECK(std::isnan(one(kernels::cos, -infinity)));
  CHECK(one(kernels::erf, infinity) == 1);
  CHECK(one(kernels::erf, -infinity) == -1);
  CHECK(one(kernels::arccos, 1) == 0);
  CHECK(std::isnan(one(kernels::arccos, real(1.5))));
  CHECK(one(kernels::floor, -infinity) == -infinity);
  CHECK(one(kernels::ceil, infinity) == infinity);
  CHECK(one(kernels::relu, -infinity) == 0);
  CHECK(one(kernels::sign, real(-0.0)) == 0);
  CHECK(one(kernels::sign, -infinity) == -1);
}

}  // namespace
}  // namespace attend::elementwise_test
