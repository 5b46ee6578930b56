// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/error.h"
#include "ops/primitives.h"

// What primitives of several matrices [.. rows columns] with the same leading extents share.
namespace attend::matrices {

inline Shape leading(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

// The operands are made to share their leading extents before they are recorded.
inline void need_same_leading(const std::vector<Shape>& in, const char* what) {
  for (const Shape& shape : in) {
    if (in[0].size() < 2 || shape.size() < 2 || leading(shape) != leading(in[0]))
      refuse(std::string(what) + " go over matrices with the same leading extents; found " +
             to_text(in[0]) + " and " + to_text(shape));
  }
}

inline std::vector<Var> with_same_leading(std::vector<Var> in) {
  Shape batch;
  for (const Var& x : in) batch = broadcast_shapes(batch, leading(x.shape()));
  for (Var& x : in) {
    Shape shape = batch;
    shape.insert(shape.end(), x.shape().end() - 2, x.shape().end());
    x = broadcast_to(x, shape);
  }
  return in;
}

// How many matrices there are.
inline std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) count *= shape[i];
  return count;
}

}  // namespace attend::matrices
