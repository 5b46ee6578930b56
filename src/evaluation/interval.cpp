// SPDX-License-Identifier: Apache-2.0
#include "evaluation/interval.h"

#include <algorithm>
#include <cmath>

#include "ops/error.h"
#include "ops/random.h"

namespace attend {

namespace {
constexpr std::size_t most_drawn = 200'000'000;  // some seconds
}

double normal_quantile(double probability) {
  double low = -40, high = 40;
  for (int i = 0; i < 200; ++i) {  // halving: asked once a measure, so that clear is enough
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.)) / 2 < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

ConfidenceInterval wilson(double successes, double count, double level) {
  const double z = normal_quantile((1 + level) / 2), share = successes / count;
  const double shrink = 1 + z * z / count;
  const double middle = (share + z * z / (2 * count)) / shrink;
  const double half =
      z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / shrink;
  return {std::max(0., middle - half), std::min(1., middle + half), level, "wilson"};
}

std::optional<ConfidenceInterval> bootstrap(Units units, const std::function<double(Units)>& value,
                                            const IntervalWish& wish) {
  if (units.size() < 2) return std::nullopt;
  if (units.size() > most_drawn / wish.resamples)
    refuse("/interval/resamples", std::to_string(wish.resamples) + " draws of " +
                                      std::to_string(units.size()) + " units take more than " +
                                      std::to_string(most_drawn) + " values; ask for fewer draws");
  const RandomStream stream(wish.seed, "bootstrap");
  std::vector<double> values;
  std::vector<const Unit*> drawn(units.size());
  for (std::size_t r = 0; r < wish.resamples; ++r) {
    for (std::size_t i = 0; i < drawn.size(); ++i)
      drawn[i] = units[static_cast<std::size_t>(stream.below(r * units.size() + i, units.size()))];
    const double one = value(drawn);
    if (!std::isnan(one)) values.push_back(one);
  }
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  // Between the two values around the place, as numpy.percentile does.
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, values.size() - 1);
    if (values[below] == values[above]) return values[below];  // both may be infinite
    return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
  };
  return ConfidenceInterval{at((1 - wish.level) / 2), at((1 + wish.level) / 2), wish.level,
                            "bootstrap"};
}

}  // namespace attend
