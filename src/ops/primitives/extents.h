// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

// A shape as the attributes of a primitive, and back.
namespace attend {

inline Shape to_shape(const std::vector<long>& integers) {
  return {integers.begin(), integers.end()};
}
inline Attributes to_attributes(const Shape& shape) { return {{shape.begin(), shape.end()}, 0}; }

}  // namespace attend
