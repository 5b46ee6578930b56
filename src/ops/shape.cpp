// SPDX-License-Identifier: Apache-2.0
#include "ops/shape.h"

#include <algorithm>
#include <cstdint>

#include "ops/broadcast_loop.h"
#include "ops/error.h"
#include "ops/too_large.h"

namespace attend {

std::size_t element_count(Extents shape) {
  // Without a division: every evaluation of a node asks.
  std::uint64_t count = 1;
  for (const std::size_t extent : shape) {
    if (count != 0 && (extent > max_recorded || count * extent > max_recorded)) {
      throw TooLarge("a tensor of shape " + to_text(shape) + " has more than " +
                     std::to_string(max_recorded) +
                     " elements; use fewer tokens or smaller widths");
    }
    count *= extent;
  }
  return static_cast<std::size_t>(count);
}

std::string to_text(Extents shape) {
  constexpr std::size_t most_axes = 8;  // a document may give any number of them
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i == most_axes) return text + " .. " + std::to_string(shape.size()) + " axes]";
    if (i != 0) text += ' ';
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

Strides strides_of(Extents shape) {
  Strides strides{};
  if (!shape.empty()) strides[shape.size() - 1] = 1;
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape out(rank, 1);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from_a = i + a.size() >= rank ? a[i + a.size() - rank] : 1;
    const std::size_t from_b = i + b.size() >= rank ? b[i + b.size() - rank] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) {
      refuse("shapes " + to_text(a) + " and " + to_text(b) + " do not fit together");
    }
    out[i] = from_a == 1 ? from_b : from_a;
  }
  return out;
}

Strides broadcast_strides(Extents from, Extents to) {
  const Strides own = strides_of(from);
  Strides strides{};
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) strides[i + to.size() - from.size()] = own[i];
  }
  return strides;
}

std::size_t broadcast_position(std::size_t flat, Extents operand, Extents out) {
  std::size_t position = 0, stride = 1;
  for (std::size_t i = out.size(), k = operand.size(); k > 0;) {
    --i;
    --k;
    if (operand[k] != 1) position += flat % out[i] * stride;
    stride *= operand[k];
    flat /= out[i];
  }
  return position;
}

std::size_t axis_index(long axis, std::size_t rank) {
  const long position = axis < 0 ? axis + static_cast<long>(rank) : axis;
  if (position < 0 || position >= static_cast<long>(rank)) {
    refuse("axis " + std::to_string(axis) + " is outside a tensor of rank " + std::to_string(rank));
  }
  return static_cast<std::size_t>(position);
}

AxisView view_axis(Extents shape, std::size_t axis) {
  AxisView view;
  for (std::size_t i = 0; i < axis; ++i) view.outer *= shape[i];
  view.length = shape[axis];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) view.inner *= shape[i];
  return view;
}

std::vector<std::size_t> unravel(std::size_t flat, const Shape& shape) {
  std::vector<std::size_t> index(shape.size(), 0);
  for (std::size_t i = shape.size(); i-- > 0;) {
    index[i] = flat % shape[i];
    flat /= shape[i];
  }
  return index;
}

std::size_t ravel(const std::vector<std::size_t>& index, const Shape& shape) {
  std::size_t flat = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) flat = flat * shape[i] + index[i];
  return flat;
}

}  // namespace attend
