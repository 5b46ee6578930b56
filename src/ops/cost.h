// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ops/graph.h"

namespace attend {

// The cost of a computation, known from its shapes before anything runs.
struct Cost {
  // A multiplication with the addition that follows it, or by itself one addition, subtraction,
  // multiplication, division, comparison, change of sign, absolute value, rounding or square root.
  std::uint64_t multiply_adds = 0;
  // Exponentials, logarithms, powers, tanh, sigmoid, erf, sin, cos, arccos.
  std::uint64_t exponentials = 0;
  // Numbers read and written, as bytes: every operand once, however often it is used, and the
  // result once. Moving numbers, and choosing one of two, costs nothing else.
  std::uint64_t bytes = 0;
  // False where the counts depend on the data; then they are upper bounds.
  bool exact = true;
  // Of the first two counts, what hardly any data need. An estimate of the time leaves it out.
  std::uint64_t rare_multiply_adds = 0;
  std::uint64_t rare_exponentials = 0;

  // Sums stop at the largest number there is.
  Cost& operator+=(const Cost& other);
  bool operator==(const Cost&) const = default;
};

// The same cost, multiplied by a number of times.
Cost times(Cost cost, std::uint64_t count);

// Of one node. A leaf costs nothing.
Cost cost_of(const Graph& graph, NodeId node);

// Of the nodes that are marked, by id.
Cost cost_of(const Graph& graph, const std::vector<bool>& needed);

}  // namespace attend
