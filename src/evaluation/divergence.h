// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

// Distances of two rows. Zeros add nothing: 0 ln 0 = 0.
namespace attend {

// Half the sum of absolute differences: 0 to 1 for distributions.
double total_variation(std::span<const double> p, std::span<const double> q);

// sum p ln(p / q); infinite where q has no share and p has one.
double kullback_leibler(std::span<const double> p, std::span<const double> q);

// Half of both divergences from the middle of the two: 0 to ln 2 for distributions.
double jensen_shannon(std::span<const double> p, std::span<const double> q);

}  // namespace attend
