// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/primitive.h"

// Rules for Primitive::cost that fit many primitives.
namespace attend::cost {

inline std::uint64_t cells(const Shape& shape) { return element_count(shape); }

// All operands read and the result written; no arithmetic.
inline Cost moved(const Sizes& s) {
  std::uint64_t numbers = cells(s.node.shape);
  for (const Shape* shape : s.in) numbers += cells(*shape);
  return {.bytes = numbers * sizeof(real)};
}

// So many multiply-adds and exponentials for each cell of the result.
template <std::uint64_t multiply_adds, std::uint64_t exponentials = 0>
Cost by_cell(const Sizes& s) {
  Cost cost = moved(s);
  cost.multiply_adds = multiply_adds * cells(s.node.shape);
  cost.exponentials = exponentials * cells(s.node.shape);
  return cost;
}

// One multiply-add for each cell of the first operand.
inline Cost by_operand(const Sizes& s) {
  Cost cost = moved(s);
  cost.multiply_adds = cells(*s.in[0]);
  return cost;
}

}  // namespace attend::cost
