// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernels/real.h"

namespace attend::kernels {

// The numbers of one step of Adam that all weights share.
struct AdamStep {
  real scale, decay;    // slope = scale * gradient + decay * weight
  real b1, a1, b2, a2;  // first = b1 first + a1 slope, second = b2 second + a2 slope^2
  real length, root, eps,
      shrink;  // weight = shrink weight - length first / (root sqrt(second) + eps)
};

// Spans of one length, none overlapping another.
void adam(const AdamStep& step, std::span<const real> gradient, std::span<real> weight,
          std::span<real> first, std::span<real> second);

// In double precision, as the norm of all gradients needs it.
double sum_of_squares(std::span<const real> numbers);

}  // namespace attend::kernels
