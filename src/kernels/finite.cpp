// SPDX-License-Identifier: Apache-2.0
#include "kernels/finite.h"

#include <array>

#include "kernels/vector.h"

namespace attend::kernels {

// Zero times a number is NaN for those that are asked about, and stays NaN in a sum; otherwise the sum is 0.
bool all_finite(std::span<const real> x) {
  constexpr std::size_t at_once = 4, width = at_once * batch_size;
  std::array<Batch, at_once> sums;
  sums.fill(Batch(0));
  std::size_t i = 0;
  for (; i + width <= x.size(); i += width) {
    for (std::size_t k = 0; k < at_once; ++k)
      sums[k] += Batch::load_unaligned(x.data() + i + k * batch_size) * Batch(0);
  }
  real rest = xsimd::reduce_add((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < x.size(); ++i) rest += x[i] * real(0);
  return rest == 0;
}

}  // namespace attend::kernels
