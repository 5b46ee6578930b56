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

// Whether so many heads share a tensor whose last axes are those of rows: each group of heads has the same ones.
inline bool repeats(const Shape& shape, std::size_t heads) {
  if (shape.size() < 3 || shape.end()[-3] == 1) return false;
  const auto own =
      std::find_if(shape.begin(), shape.end() - 2, [](std::size_t x) { return x != 1; });
  return std::find(own, shape.end() - 2, std::size_t{1}) == shape.end() - 2 &&
         batch_of(shape) != 0 && heads % batch_of(shape) == 0;
}

// Whether the axes in front of the last two are the same: heads in the same groups.
inline bool has_heads_of(const Shape& a, const Shape& b) {
  return a.size() == b.size() && a.size() >= 2 && std::equal(a.begin(), a.end() - 2, b.begin());
}

inline bool has_maps_of(const Shape& a, const Shape& b) {
  return a.size() >= 2 && b.size() >= 2 && std::equal(a.end() - 2, a.end(), b.end() - 2);
}

// Whether neighbouring heads share the heads of this operand: its leading extents are theirs, then 1.
inline bool shares_heads(const Shape& shape, const Shape& queries) {
  if (shape.size() != queries.size()) return false;
  std::size_t axis = 0;
  while (axis + 2 < shape.size() && shape[axis] == queries[axis]) ++axis;
  return std::all_of(shape.begin() + static_cast<long>(axis), shape.end() - 2,
                     [](std::size_t extent) { return extent == 1; });
}

// A tensor of one row or one head is shared, and one of fewer heads by as many neighbours each, or by groups.
inline Rows rows_in(const real* data, const Shape& shape, std::size_t heads) {
  const std::size_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2], columns = shape.back(),
                    own = batch_of(shape);
  const bool again = repeats(shape, heads);
  return {data, rows == 1 ? 0 : columns, own == 1 ? 0 : rows * columns,
          own == 0 || again ? 1 : std::max<std::size_t>(heads / own, 1), again ? own : no_end};
}

}  // namespace attend::fused
