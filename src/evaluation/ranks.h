// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

// How similar the orders of two lists are. Each is NaN where one of them is constant, because it then has no order.
namespace attend {

// Places from 1 on, by size; equal numbers share the mean of their places.
std::vector<double> ranks_of(std::span<const double> x);

double pearson(std::span<const double> x, std::span<const double> y);
double spearman(std::span<const double> x, std::span<const double> y);

// Kendall's tau-b, which counts ties: pairs in the same order less pairs in the other.
double kendall(std::span<const double> x, std::span<const double> y);

}  // namespace attend
