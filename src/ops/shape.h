// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace attend {

// Extents of a row-major tensor, outermost first; {} is a scalar.
using Shape = std::vector<std::size_t>;

// A shape or some axes of one, to look at.
using Extents = std::span<const std::size_t>;

// The most axes of a tensor, so that a walk over one needs no memory of its own.
inline constexpr std::size_t max_rank = 16;
using Strides = std::array<std::size_t, max_rank>;  // one an axis, as many as there are

// Product of the extents. Throws Error when it passes `max_recorded`.
std::size_t element_count(Extents shape);
inline std::size_t element_count(const Shape& shape) { return element_count(Extents(shape)); }

// The largest tensor that a mechanism should make (2^28 elements: 1 GiB in float).
inline constexpr std::size_t max_elements = std::size_t{1} << 28;

// The largest that a node may have. A map of this size is recorded, and never held: a kernel takes the place of the
// chain that it is part of, or there is no memory for it, which the plan says before anything is computed.
inline constexpr std::size_t max_recorded = std::size_t{1} << 31;

// "[4 8]"; a scalar is "[]".
std::string to_text(Extents shape);
inline std::string to_text(const Shape& shape) { return to_text(Extents(shape)); }

// Row-major strides, in elements.
Strides strides_of(Extents shape);

// Right-aligned broadcasting: extents are equal or 1. Throws Error when the shapes do not fit.
Shape broadcast_shapes(const Shape& a, const Shape& b);

// Strides that walk a tensor of shape `from` as if it had shape `to` (0 along broadcast axes).
Strides broadcast_strides(Extents from, Extents to);

// Position of a possibly negative axis (-1 is the last). Throws Error when out of range.
std::size_t axis_index(long axis, std::size_t rank);

// An axis seen as outer x length x inner, with inner contiguous.
struct AxisView {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;
};
AxisView view_axis(Extents shape, std::size_t axis);

// Multi-index of a flat position, and back.
std::vector<std::size_t> unravel(std::size_t flat, const Shape& shape);
std::size_t ravel(const std::vector<std::size_t>& index, const Shape& shape);

}  // namespace attend
