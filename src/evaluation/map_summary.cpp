// SPDX-License-Identifier: Apache-2.0
#include "evaluation/map_summary.h"

#include <algorithm>
#include <cmath>

namespace attend {

WeightMeasures measure_weights(std::span<const real> weights, const Shape& shape) {
  const std::size_t n = shape.back(), m = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  WeightMeasures measures;
  const auto largest = std::max_element(weights.begin(), weights.end());
  measures.largest = static_cast<std::size_t>(largest - weights.begin());
  for (std::size_t start = 0; start < weights.size(); start += m * n) {
    double entropy = 0, support = 0, rows = 0;
    for (std::size_t i = 0; i < m; ++i) {
      const auto row = weights.subspan(start + i * n, n);
      double sum = 0, bits = 0;
      for (const real weight : row) sum += static_cast<double>(weight);
      measures.row_sums.push_back(sum);
      if (sum <= 0) continue;
      for (const real weight : row) {
        const double share = static_cast<double>(weight) / sum;
        if (share > 0) bits -= share * std::log2(share);
        support += weight > 0 ? 1 : 0;
      }
      entropy += bits;
      ++rows;
    }
    measures.entropy.push_back(rows > 0 ? entropy / rows : 0);
    measures.support.push_back(rows > 0 ? support / rows : 0);
  }
  return measures;
}

}  // namespace attend
