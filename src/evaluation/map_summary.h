// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/real.h"
#include "ops/shape.h"

namespace attend {

// What a map of weights [.. m n] says at a glance, one entry a matrix (a head, say) unless noted.
struct WeightMeasures {
  std::vector<double> row_sums;  // one a row of each matrix
  std::vector<double> entropy;   // mean over its rows, in bits; rows without weight do not count
  std::vector<double> support;   // mean number of keys with weight above 0 a row
  std::size_t largest = 0;       // flat position of the largest weight of all
};

// `weights` row-major in `shape`, whose last two axes are queries and keys.
WeightMeasures measure_weights(std::span<const real> weights, const Shape& shape);

}  // namespace attend
