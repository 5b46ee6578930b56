// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fused/patterns.h"
#include "ops/graph.h"

namespace attend::fused {

// A pattern that is no band: which of fused/patterns.h, and its numbers.
struct Pattern {
  enum Kind : long {
    none,
    strided,
    fixed,
    spans
  };  // spans: fused/faded.h, its numbers are operands
  Kind kind = none;
  std::size_t l = 0, c = 0;
  Part part = Part::both;
};

// The pattern that a mask's recording spells out for m rows and n keys, if it is one; the words are those of the
// cores sparse-strided and sparse-fixed, in any order.
std::optional<Pattern> pattern_of(const Graph& graph, NodeId mask);

// The pattern's patches for so many rows and keys go to the visitor.
void each_patch(const Pattern& pattern, std::size_t m, std::size_t n, PatchVisitor& visitor);

}  // namespace attend::fused
