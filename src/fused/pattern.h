// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fused/patterns.h"
#include "ops/graph.h"

namespace attend::fused {

// A pattern that is no band: which of fused/patterns.h, and its numbers.
struct Pattern {
  // spans: fused/faded.h, its numbers are operands. bigbird has a drawn mask as an operand; c is its window.
  enum Kind : long { none, strided, fixed, spans, recent, summarised, bigbird };
  Kind kind = none;
  std::size_t l = 0, c = 0;
  Part part = Part::both;
  std::size_t global = 0;
  bool causal = false;  // bigbird: cut off at the row
  NodeId drawn = 0;     // bigbird
};

// The pattern that a mask's recording spells out for m rows and n keys, if it is one; the words are those of the
// cores sparse-strided, sparse-fixed and bigbird and of the modules image-transformer and transformer-ls.
std::optional<Pattern> pattern_of(const Graph& graph, NodeId mask);

// The pattern's patches for so many rows and keys go to the visitor; `drawn`: the mask of bigbird.
void each_patch(const Pattern& pattern, std::size_t m, std::size_t n, PatchVisitor& visitor,
                std::size_t head = 0, Rows drawn = {});

}  // namespace attend::fused
