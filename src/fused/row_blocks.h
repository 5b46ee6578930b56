// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/program.h"

namespace attend::fused {

// From this many numbers on, a tensor is not held as a whole.
inline constexpr std::size_t min_in_blocks = std::size_t{1} << 24U;

// Tensors of so many numbers that nobody asks for, such as maps that no kernel takes, are computed for a block of
// queries at a time, if each row depends on its own query alone: a scan over blocks gives what is read of them. A step
// computes `numbers_in_step`, about. Its gradient computes the block again.
Program in_blocks(const Program& program, std::size_t from_numbers = min_in_blocks,
                  std::size_t numbers_in_step = std::size_t{1} << 21U);

// Whether a map [.. m n] is that large and may be computed so. Then no kernel should take it as an operand.
bool is_for_blocks(const Graph& graph, const std::vector<Var>& wanted, NodeId map);

}  // namespace attend::fused
