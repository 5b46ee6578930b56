// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"

namespace attend::fused {

// Computes nodes by the shorter form that their build states, where their formula has a tensor of so many numbers.
void shorten(Graph& graph, const std::vector<Var>& wanted, std::size_t from_numbers);

}  // namespace attend::fused
