// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"

// Sinkhorn attention's sorting of blocks: R = relu([sum Q_blk ; sum K_blk] W), S = Sinkhorn((ln(R + 1e-6) + g) / T),
// the sorted blocks S K and S V.
namespace attend {

// How blocks are mixed, [.. b b]. The knobs are blocks, iterations, temperature, hard, gumbel.
Var block_sorter(const CoreIn& in);
Var blocks_of(Var x, std::size_t count);    // [.. n d] -> [.. b n/b d]
Var sorted_blocks(Var sorter, Var blocks);  // the same shape, blocks mixed

constexpr Knob blocks_knob() { return size_knob("blocks", "b", "divisor_near_sqrt_n", 1, 64); }
constexpr Knob iterations_knob() { return integer_knob("iterations", 8., 0, 50).at_least(0); }
constexpr Knob temperature_knob() {
  return number_knob("temperature", .75, .05, 5).above(0).log_scale();
}
inline constexpr std::string_view sorted_by_all = "blocks-sorted-by-all"_reason;

// The sorter by plain loops.
Array sorter_by_loops(const ReferenceIn& in);

}  // namespace attend
