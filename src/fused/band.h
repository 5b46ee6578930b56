// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fused/attention.h"
#include "ops/graph.h"

namespace attend::fused {

// The keys j that query i may attend: from i - before to i + after, of its own block of so many
// tokens if there are blocks.
struct Band {
  std::ptrdiff_t before = unbounded;
  std::ptrdiff_t after = unbounded;
  std::size_t block = 0;
};

// The band that a mask of 0 and 1 draws, read off how it was recorded (comparisons of row and
// column indices, blocks of them, and products of such); nothing where it is no band, or depends on
// data.
std::optional<Band> band_of(const Graph& graph, NodeId mask);

}  // namespace attend::fused
