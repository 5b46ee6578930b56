// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "evaluation/measure.h"

// Distances of two rows. Zeros add nothing: 0 ln 0 = 0.
namespace attend {

// Half the sum of absolute differences: 0 to 1 for distributions.
double total_variation(std::span<const double> p, std::span<const double> q);

// sum p ln(p / q); infinite where q has no share and p has one.
double kullback_leibler(std::span<const double> p, std::span<const double> q);

// Half of both divergences from the middle of the two: 0 to ln 2 for distributions.
double jensen_shannon(std::span<const double> p, std::span<const double> q);

// The mean over rows of such a distance between two tensors, and the distances by row.
using Distance = double (*)(std::span<const double> p, std::span<const double> q);
void examine_distance(const MeasureIn& in, Finding& found, std::string_view one,
                      std::string_view other, Distance distance);

}  // namespace attend
