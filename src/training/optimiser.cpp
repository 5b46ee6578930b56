// SPDX-License-Identifier: Apache-2.0
#include "training/optimiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/adam.h"
#include "kernels/elementwise.h"
#include "kernels/finite.h"

namespace attend {

double Schedule::factor(std::uint64_t step, std::uint64_t steps) const {
  const auto t = static_cast<double>(step) + 1, n = static_cast<double>(steps);
  const double w = std::max(static_cast<double>(warmup), 1.0);
  if (t <= w) return t / w;
  if (kind == Kind::constant) return 1;
  if (kind == Kind::inverse_square_root) return std::sqrt(w / t);
  const double done = std::min((t - w) / std::max(n - w, 1.0), 1.0);
  const double left = kind == Kind::linear ? 1 - done : (1 + std::cos(std::numbers::pi * done)) / 2;
  return end + (1 - end) * left;
}

std::size_t moments_of(const OptimiserSettings& settings) {
  if (settings.kind != OptimiserSettings::Kind::sgd) return 2;
  return settings.momentum != 0 ? 1 : 0;
}

namespace {

void sgd(const OptimiserSettings& s, real rate, bool first, real scale, std::span<real> w,
         std::span<const real> g, Moments& moments) {
  const auto decay = static_cast<real>(s.weight_decay), momentum = static_cast<real>(s.momentum);
  real* const m = moments.first.data();
  for (std::size_t i = 0; i < w.size(); ++i) {
    real slope = g[i] * scale + decay * w[i];
    if (momentum != 0) {
      m[i] = first ? slope : momentum * m[i] + slope;
      slope = s.nesterov ? slope + momentum * m[i] : m[i];
    }
    w[i] -= rate * slope;
  }
}

void adam(const OptimiserSettings& s, double rate, std::uint64_t step, real scale,
          std::span<real> w, std::span<const real> g, Moments& moments) {
  const bool apart = s.kind == OptimiserSettings::Kind::adamw;  // the decay is no part of the slope
  const auto t = static_cast<double>(step);
  const auto number = [](double x) { return static_cast<real>(x); };
  kernels::adam({.scale = scale,
                 .decay = number(apart ? 0 : s.weight_decay),
                 .b1 = number(s.beta1),
                 .a1 = number(1 - s.beta1),
                 .b2 = number(s.beta2),
                 .a2 = number(1 - s.beta2),
                 .length = number(rate / (1 - std::pow(s.beta1, t))),
                 .root = number(1 / std::sqrt(1 - std::pow(s.beta2, t))),
                 .eps = number(s.eps),
                 .shrink = number(apart ? 1 - rate * s.weight_decay : 1)},
                g, w, moments.first, moments.second);
}

}  // namespace

void optimise(const OptimiserSettings& settings, double rate, std::uint64_t step, double scale,
              std::span<real> weight, std::span<const real> gradient, Moments& moments) {
  const auto factor = static_cast<real>(scale);
  if (settings.kind == OptimiserSettings::Kind::sgd)
    sgd(settings, static_cast<real>(rate), step == 1, factor, weight, gradient, moments);
  else
    adam(settings, rate, step, factor, weight, gradient, moments);
}

double sum_of_squares(std::span<const real> numbers) { return kernels::sum_of_squares(numbers); }

void add_gradients(std::span<real> sum, std::span<const real> more) {
  kernels::add(sum, more, sum);
}

bool all_finite(std::span<const real> numbers) { return kernels::all_finite(numbers); }

}  // namespace attend
