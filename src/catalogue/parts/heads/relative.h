// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/parts/layers/blocks.h"

// Attention of a segment to itself and to the memory of the one before it, by relative places.
namespace attend {

// What it is scored with, of a module that has them by these names.
struct SegmentMaps {
  Var W_Q, W_K, W_V;  // [d p] [d p] [d pv]
  Var u, v, W_R;      // [1 p] [1 p] [d p]
};
SegmentMaps segment_maps(const Scope& in);
inline constexpr auto segment_parameters = std::to_array<Parameter>(
    {{"W_Q", "d p"}, {"W_K", "d p"}, {"W_V", "d pv"}, {"u", "p"}, {"v", "p"}, {"W_R", "d p"}});

// Causal, scores ((q_i + u) k_j^T + (q_i + v) (R_{i+M-j} W_R)^T) / sqrt(p), R sinusoidal:
// rows [m d], memory [M d] or empty -> scores and weights [m M+m], context [m pv].
Looked attend_segment(Var rows, Var memory, const SegmentMaps& maps);

// Puts the tokens of the segment before, which may be empty, and of this one along the columns of the map; gives the
// former.
Var segment_memory(const Scope& in, Var x, Var memory);

}  // namespace attend
