// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/real.h"

namespace attend {

// How weights follow their gradients, by PyTorch's equations (torch.optim.SGD, Adam, AdamW).
struct OptimiserSettings {
  enum class Kind { sgd, adam, adamw };
  Kind kind = Kind::adam;
  double rate = 1e-3;
  double momentum = 0;  // sgd
  bool nesterov = false;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;  // adam, adamw
  double weight_decay = 0;                        // adamw: 0.01 unless given
};

// How the rate changes. Step t of N, counted from 1, multiplies it by t / w up to w = max(warmup, 1), and after that by
//   1,  sqrt(w / t)  or  end + (1 - end) f(p)  with p = (t - w) / (N - w), f = 1 - p or (1 + cos(pi p)) / 2,
// so that it is whole at step w and `end` times itself at step N.
struct Schedule {
  enum class Kind { constant, linear, cosine, inverse_square_root };
  Kind kind = Kind::constant;
  std::uint64_t warmup = 0;
  double end = 0;
  // The factor of the rate after so many of `steps` steps have been taken.
  [[nodiscard]] double factor(std::uint64_t step, std::uint64_t steps) const;
};

// The numbers of one weight, with what the optimiser remembers of it: as many again, or none.
struct Moments {
  std::vector<real> first, second;
};

// How many lists of moments a weight has.
std::size_t moments_of(const OptimiserSettings& settings);

// One step, the `step`-th from 1; gradients are multiplied by `scale` before they are used.
void optimise(const OptimiserSettings& settings, double rate, std::uint64_t step, double scale,
              std::span<real> weight, std::span<const real> gradient, Moments& moments);

// Sum of squares, in double.
double sum_of_squares(std::span<const real> numbers);

// Adds the gradients of one more share of a batch.
void add_gradients(std::span<real> sum, std::span<const real> more);

// Whether no number is NaN or infinite.
bool all_finite(std::span<const real> numbers);

}  // namespace attend
