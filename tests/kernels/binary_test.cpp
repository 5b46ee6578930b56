// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/adam.h"
#include "kernels/elementwise.h"
#include "tests/kernels/sweep.h"

namespace attend::binary_test {
namespace {

using Numbers = std::span<const real>;
using Results = std::span<real>;

struct Case {
  std::string name;
  void (*spans)(Numbers, Numbers, Results);
  void (*right)(Numbers, real, Results);
  void (*left)(real, Numbers, Results);
  real (*expected)(real, real);  // correctly rounded, so the kernels must give exactly this
};

real larger(real x, real y) { return std::isnan(x) || std::isnan(y) ? x + y : x > y ? x : y; }
real smaller(real x, real y) { return std::isnan(x) || std::isnan(y) ? x + y : x < y ? x : y; }

const Case cases[] = {
    {"add", kernels::add, kernels::add, kernels::add, [](real x, real y) { return x + y; }},
    {"subtract", kernels::subtract, kernels::subtract, kernels::subtract,
     [](real x, real y) { return x - y; }},
    {"multiply", kernels::multiply, kernels::multiply, kernels::multiply,
     [](real x, real y) { return x * y; }},
    {"divide", kernels::divide, kernels::divide, kernels::divide,
     [](real x, real y) { return x / y; }},
    {"maximum", kernels::maximum, kernels::maximum, kernels::maximum, larger},
    {"minimum", kernels::minimum, kernels::minimum, kernels::minimum, smaller},
    {"greater", kernels::greater, kernels::greater, kernels::greater,
     [](real x, real y) { return real(x > y ? 1 : 0); }},
};

bool same(real x, real y) { return x == y || (std::isnan(x) && std::isnan(y)); }

TEST_CASE("two operands: every size, misaligned, spans and numbers on either side") {
  sweep::Numbers numbers(3);
  for (const Case& c : cases) {
    CAPTURE(c.name);
    sweep::sizes_and_offsets([&](std::size_t size, std::size_t offset) {
      const auto x_memory = numbers.list(offset + size, -9, 9);
      const auto y_memory = numbers.list(offset + size + 1, -9, 9);
      const Numbers x = Numbers(x_memory).subspan(offset);
      const Numbers y = Numbers(y_memory).subspan(offset + 1);
      const real number = numbers.next(1, 2);
      sweep::Guarded spans(size, offset), right(size, offset), left(size, offset);
      c.spans(x, y, spans.span());
      c.right(x, number, right.span());
      c.left(number, x, left.span());
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(spans.data()[i] == c.expected(x[i], y[i]));
        CHECK(right.data()[i] == c.expected(x[i], number));
        CHECK(left.data()[i] == c.expected(number, x[i]));
      }
      CHECK(spans.intact());
      CHECK(right.intact());
      CHECK(left.intact());
    });
  }
}

TEST_CASE("two operands: the result may be either operand") {
  sweep::Numbers numbers(4);
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const auto x = numbers.list(sweep::most_size, -9, 9);
    const auto y = numbers.list(sweep::most_size, -9, 9);
    auto in_x = x;
    auto in_y = y;
    c.spans(in_x, y, in_x);
    c.spans(x, in_y, in_y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(in_x[i] == c.expected(x[i], y[i]));
      CHECK(in_y[i] == c.expected(x[i], y[i]));
    }
  }
}

TEST_CASE("two operands: NaN on either side, infinities, zeros") {
  const std::vector<real> special = {sweep::nan,       1,  sweep::nan, 2, 0, sweep::infinity,
                                     -sweep::infinity, -3, 5};
  for (const Case& c : cases) {
    CAPTURE(c.name);
    for (const real number : special) {
      CAPTURE(number);
      const std::vector<real> numbers(special.size(), number);
      std::vector<real> spans(special.size()), right(special.size()), left(special.size());
      c.spans(special, numbers, spans);
      c.right(special, number, right);
      c.left(number, special, left);
      for (std::size_t i = 0; i < special.size(); ++i) {
        CAPTURE(special[i]);
        CHECK(same(spans[i], c.expected(special[i], number)));
        CHECK(same(right[i], c.expected(special[i], number)));
        CHECK(same(left[i], c.expected(number, special[i])));
      }
    }
  }
}

TEST_CASE("adam: every size, as its equations number by number") {
  sweep::Numbers numbers(17);
  const kernels::AdamStep step{.scale = real(.5),
                               .decay = real(.01),
                               .b1 = real(.9),
                               .a1 = real(.1),
                               .b2 = real(.99),
                               .a2 = real(.01),
                               .length = real(.003),
                               .root = real(1.5),
                               .eps = real(1e-8),
                               .shrink = real(.999)};
  sweep::sizes_and_offsets([&](std::size_t size, std::size_t offset) {
    const auto gradient = numbers.list(size, -2, 2), before = numbers.list(size, -1, 1),
               moved = numbers.list(size, -1, 1), squares = numbers.list(size, 0, 4);
    sweep::Guarded weight(size, offset), first(size, offset), second(size, offset);
    std::copy(before.begin(), before.end(), weight.data());
    std::copy(moved.begin(), moved.end(), first.data());
    std::copy(squares.begin(), squares.end(), second.data());
    kernels::adam(step, gradient, weight.span(), first.span(), second.span());
    for (std::size_t i = 0; i < size; ++i) {
      const real slope = gradient[i] * step.scale + step.decay * before[i];
      const real m = step.b1 * moved[i] + step.a1 * slope;
      const real v = step.b2 * squares[i] + step.a2 * slope * slope;
      const real w =
          step.shrink * before[i] - step.length * m / (std::sqrt(v) * step.root + step.eps);
      // Relaxed SIMD may round a product and a sum once, or twice.
      const auto near = [](real x) { return doctest::Approx(x).epsilon(1e-6).scale(1); };
      CHECK(first.data()[i] == near(m));
      CHECK(second.data()[i] == near(v));
      CHECK(weight.data()[i] == near(w));
    }
    CHECK(weight.intact());
    CHECK(first.intact());
    CHECK(second.intact());
  });
}

TEST_CASE("sum_of_squares: every size, in double precision") {
  sweep::Numbers numbers(18);
  sweep::sizes_and_offsets([&](std::size_t size, std::size_t offset) {
    const auto x = numbers.list(size + offset, -3, 3);
    double sum = 0;
    for (std::size_t i = offset; i < x.size(); ++i) sum += static_cast<double>(x[i]) * x[i];
    const double got = kernels::sum_of_squares({x.data() + offset, size});
    CHECK(got == doctest::Approx(sum).epsilon(1e-14));
  });
}

}  // namespace
}  // namespace attend::binary_test
