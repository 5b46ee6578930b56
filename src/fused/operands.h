// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"
#include "ops/shape.h"

// The operands of a fused node in the form that the kernels read.
namespace attend::fused {

inline std::size_t batch_of(const Shape& shape) {
  std::size_t count = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) count *= shape[i];
  return count;
}

// A tensor of one row or one head is shared.
inline Rows rows_in(const real* data, const Shape& shape) {
  const std::size_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2], columns = shape.back();
  return {data, rows == 1 ? 0 : columns, batch_of(shape) == 1 ? 0 : rows * columns};
}

}  // namespace attend::fused
