// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attend {

// Extents of a row-major tensor, outermost first; {} is a scalar.
using Shape = std::vector<std::size_t>;

// Product of the extents. Throws Error when it passes `max_elements`.
std::size_t element_count(const Shape& shape);

// The largest tensor that any node may have (2^28 elements: 1 GiB in float).
inline constexpr std::size_t max_elements = std::size_t{1} << 28;

// "[4 8]"; a scalar is "[]".
std::string to_text(const Shape& shape);

// Row-major strides, in elements.
std::vector<std::size_t> strides_of(const Shape& shape);

// Right-aligned broadcasting: extents are equal or 1. Throws Error when the shapes do not fit.
Shape broadcast_shapes(const Shape& a, const Shape& b);

// Strides that walk a tensor of shape `from` as if it had shape `to` (0 along broadcast axes).
std::vector<std::size_t> broadcast_strides(const Shape& from, const Shape& to);

// Position of a possibly negative axis (-1 is the last). Throws Error when out of range.
std::size_t axis_index(long axis, std::size_t rank);

// An axis seen as outer x length x inner, with inner contiguous.
struct AxisView {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;
};
AxisView view_axis(const Shape& shape, std::size_t axis);

// Multi-index of a flat position, and back.
std::vector<std::size_t> unravel(std::size_t flat, const Shape& shape);
std::size_t ravel(const std::vector<std::size_t>& index, const Shape& shape);

}  // namespace attend
