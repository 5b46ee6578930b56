// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/error.h"
#include "ops/module_places.h"
#include "ops/primitives.h"
#include "ops/text.h"

// What picking along the last axis by an index and its transpose share.
namespace attend::indexing {

inline Shape leading(const Shape& shape) { return {shape.begin(), shape.end() - 1}; }

// Both operands are made to share their leading extents before they are recorded.
inline void need_same_leading(const std::vector<Shape>& in) {
  if (in[0].empty() || in[1].empty() || leading(in[0]) != leading(in[1])) {
    refuse("an index of shape " + to_text(in[1]) + " does not fit a tensor of shape " +
           to_text(in[0]));
  }
}

inline std::vector<Var> with_same_leading(Var x, Var index) {
  const Shape batch = broadcast_shapes(leading(x.shape()), leading(index.shape()));
  const auto spread = [&](Var operand) {
    Shape shape = batch;
    shape.push_back(operand.shape().back());
    return broadcast_to(operand, shape);
  };
  return {spread(x), spread(index)};
}

// Given positions are checked when they are read; one that is computed goes wrong with the numbers on its way.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_position(real index, std::size_t size,
                                                                   const Node& node) {
  refuse_numbers(node, "the numbers become too large: a position that is computed from them is " +
                           number_exact(index) + ", outside 0 to " + std::to_string(size - 1) +
                           "; use smaller inputs or parameters");
}
inline std::size_t checked(real index, std::size_t size, const Node& node) {
  if (!(index >= 0) || index >= static_cast<real>(size)) refuse_position(index, size, node);
  // The processor has no conversion to an unsigned number of 64 bits.
  return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index));
}

}  // namespace attend::indexing
