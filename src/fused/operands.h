// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fused/attention.h"
#include "ops/shape.h"

// The operands of a fused node in the form that the kernels read.
namespace attend::fused {

inline std::size_t batch_of(const Shape& shape) {
  std::size_t count = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) count *= shape[i];
  return count;
}

// A tensor of one row or one head is shared, and one of fewer heads by as many neighbours each.
inline Rows rows_in(const real* data, const Shape& shape, std::size_t heads) {
  const std::size_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2], columns = shape.back(),
                    own = batch_of(shape);
  return {data, rows == 1 ? 0 : columns, own == 1 ? 0 : rows * columns,
          own == 0 ? 1 : std::max<std::size_t>(heads / own, 1)};
}

}  // namespace attend::fused
