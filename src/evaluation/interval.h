// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "evaluation/measure.h"

namespace attend {

// Where the value of a measure would lie for other examples of the same kind.
struct ConfidenceInterval {
  double low, high, level;
  std::string method;  // "bootstrap", "wilson"
};

struct IntervalWish {
  double level = 0.95;
  std::size_t resamples = 1000;
  std::uint64_t seed = 0;
};

// The share of successes, by Wilson 1927: stays within 0 and 1 and has a width where all or none
// succeed.
ConfidenceInterval wilson(double successes, double count, double level);

// Percentiles of the values of as many units, drawn with replacement (Efron 1979). Values that are NaN do not count;
// nothing for fewer than two units.
std::optional<ConfidenceInterval> bootstrap(Units units, const std::function<double(Units)>& value,
                                            const IntervalWish& wish);

// The number that a standard normal variable stays below with this probability.
double normal_quantile(double probability);

}  // namespace attend
