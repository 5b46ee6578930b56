// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ops/graph.h"

namespace attend::fused {

// Weights that fade out with the distance, as spelled out in a recording (catalogue/spans.h): softmax over the pairs
// that the ramp m leaves, times m, divided by the row's sum; m = clip((R + z - |i - j|) / R, 0, 1).
struct FadedWeights {
  NodeId softmax;
  NodeId z;     // [.. 1 1] or [.. m 1]
  NodeId ramp;  // R, one number
  bool causal;
};

// What the node of the weights stands for, if that. `uses`: how often each node is read; what it is made of must be
// read by nothing else.
std::optional<FadedWeights> faded_of(const Graph& graph, const std::vector<std::size_t>& uses,
                                     NodeId weights);

}  // namespace attend::fused
