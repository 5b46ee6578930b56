// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"
#include "ops/program.h"

namespace attend::fused {

// From this many weights on: small experiments cost little either way, and keep the graph's own
// sums, which are rounded alike on every machine.
inline constexpr std::size_t min_weights = 64 * 64;

// Puts one fused node in place of every chain  product of queries and keys, scale, bias, mask,
// softmax, product with the values  whose scores and weights nobody asks for: `wanted` and what
// they need; and in place of contexts, kernels and patterns that their builds state. The node of the context keeps its
// id and shape. Returns how many nodes were put.
std::size_t fuse(Graph& graph, const std::vector<Var>& wanted,
                 std::size_t from_weights = min_weights);

// The program with such nodes, its results as they are. Nodes keep their ids.
Program fused(const Program& program, std::size_t from_weights = min_weights);

}  // namespace attend::fused
