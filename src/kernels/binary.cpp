// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise.h"
#include "kernels/vector.h"

namespace attend::kernels {
namespace {

using Numbers = std::span<const real>;
using Results = std::span<real>;

// The three forms of an operation: two spans, a number on the right, a number on the left.
template <class Function>
void spans(Numbers x, Numbers y, Results out, Function f) {
  map(x, y, out, f);
}

template <class Function>
void right(Numbers x, real y, Results out, Function f) {
  map(x, out, [f, y = Batch(y)](Batch v) { return f(v, y); });
}

template <class Function>
void left(real x, Numbers y, Results out, Function f) {
  map(y, out, [f, x = Batch(x)](Batch v) { return f(x, v); });
}

constexpr auto sum = [](Batch x, Batch y) { return x + y; };
constexpr auto difference = [](Batch x, Batch y) { return x - y; };
constexpr auto product = [](Batch x, Batch y) { return x * y; };
constexpr auto quotient = [](Batch x, Batch y) { return x / y; };
constexpr auto smaller = [](Batch x, Batch y) { return xsimd::select((x < y) | is_nan(x), x, y); };

}  // namespace

void add(Numbers x, Numbers y, Results out) { spans(x, y, out, sum); }
void add(Numbers x, real y, Results out) { right(x, y, out, sum); }
void add(real x, Numbers y, Results out) { left(x, y, out, sum); }

void subtract(Numbers x, Numbers y, Results out) { spans(x, y, out, difference); }
void subtract(Numbers x, real y, Results out) { right(x, y, out, difference); }
void subtract(real x, Numbers y, Results out) { left(x, y, out, difference); }

void multiply(Numbers x, Numbers y, Results out) { spans(x, y, out, product); }
void multiply(Numbers x, real y, Results out) { right(x, y, out, product); }
void multiply(real x, Numbers y, Results out) { left(x, y, out, product); }

void divide(Numbers x, Numbers y, Results out) { spans(x, y, out, quotient); }
void divide(Numbers x, real y, Results out) { right(x, y, out, quotient); }
void divide(real x, Numbers y, Results out) { left(x, y, out, quotient); }

void maximum(Numbers x, Numbers y, Results out) { spans(x, y, out, larger); }
void maximum(Numbers x, real y, Results out) { right(x, y, out, larger); }
void maximum(real x, Numbers y, Results out) { left(x, y, out, larger); }

void minimum(Numbers x, Numbers y, Results out) { spans(x, y, out, smaller); }
void minimum(Numbers x, real y, Results out) { right(x, y, out, smaller); }
void minimum(real x, Numbers y, Results out) { left(x, y, out, smaller); }

}  // namespace attend::kernels
