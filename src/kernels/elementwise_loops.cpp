// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise_loops.h"

#include <array>

#include "kernels/elementwise.h"

namespace attend::kernels {
namespace {

using Numbers = std::span<const real>;
using Results = std::span<real>;

ElementwiseLoops choose() {
#ifdef ATTEND_AVX2
  const auto has = xsimd::available_architectures();
  // The library's exponential of double precision would fuse multiplications and additions there.
  if (std::is_same_v<real, float> && has.has(xsimd::avx512f{})) return elementwise_with_avx512();
  if (has.has(xsimd::avx2{})) return elementwise_with_avx2();
#endif
  return Loops<xsimd::default_arch>::all();
}

}  // namespace

const ElementwiseLoops& elementwise_loops() {
  static const ElementwiseLoops chosen = choose();
  return chosen;
}

void exp(Numbers x, Results y) { elementwise_loops().exp(x, y); }
void tanh(Numbers x, Results y) { elementwise_loops().tanh(x, y); }
void sigmoid(Numbers x, Results y) { elementwise_loops().sigmoid(x, y); }

void add(Numbers x, Numbers y, Results out) { elementwise_loops().add.spans(x, y, out); }
void add(Numbers x, real y, Results out) { elementwise_loops().add.right(x, y, out); }
void add(real x, Numbers y, Results out) { elementwise_loops().add.left(x, y, out); }

void subtract(Numbers x, Numbers y, Results out) { elementwise_loops().subtract.spans(x, y, out); }
void subtract(Numbers x, real y, Results out) { elementwise_loops().subtract.right(x, y, out); }
void subtract(real x, Numbers y, Results out) { elementwise_loops().subtract.left(x, y, out); }

void multiply(Numbers x, Numbers y, Results out) { elementwise_loops().multiply.spans(x, y, out); }
void multiply(Numbers x, real y, Results out) { elementwise_loops().multiply.right(x, y, out); }
void multiply(real x, Numbers y, Results out) { elementwise_loops().multiply.left(x, y, out); }

void divide(Numbers x, Numbers y, Results out) { elementwise_loops().divide.spans(x, y, out); }
void divide(Numbers x, real y, Results out) { elementwise_loops().divide.right(x, y, out); }
void divide(real x, Numbers y, Results out) { elementwise_loops().divide.left(x, y, out); }

void maximum(Numbers x, Numbers y, Results out) { elementwise_loops().maximum.spans(x, y, out); }
void maximum(Numbers x, real y, Results out) { elementwise_loops().maximum.right(x, y, out); }
void maximum(real x, Numbers y, Results out) { elementwise_loops().maximum.left(x, y, out); }

void minimum(Numbers x, Numbers y, Results out) { elementwise_loops().minimum.spans(x, y, out); }
void minimum(Numbers x, real y, Results out) { elementwise_loops().minimum.right(x, y, out); }
void minimum(real x, Numbers y, Results out) { elementwise_loops().minimum.left(x, y, out); }

void greater(Numbers x, Numbers y, Results out) { elementwise_loops().greater.spans(x, y, out); }
void greater(Numbers x, real y, Results out) { elementwise_loops().greater.right(x, y, out); }
void greater(real x, Numbers y, Results out) { elementwise_loops().greater.left(x, y, out); }

void adam(const AdamStep& step, Numbers gradient, Results weight, Results first, Results second) {
  elementwise_loops().adam(step, gradient, weight, first, second);
}

double sum_of_squares(Numbers x) {
  // Eight sums side by side: one alone would wait for itself.
  std::array<double, 8> sums{};
  const auto add = [&sums, x](std::size_t i, std::size_t k) {
    const auto one = static_cast<double>(x[i + k]);
    sums[k] += one * one;
  };
  std::size_t i = 0;
  for (; i + sums.size() <= x.size(); i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) add(i, k);
  for (std::size_t k = 0; i + k < x.size(); ++k) add(i, k);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace attend::kernels
