// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/features.h"

// What the backward pass of attention by features gives the gates.
namespace attend::fused {

// One head's share of a call, with g_i = dout_i / total_i and h_i = -out_i . g_i: the slope of a pair's weight is
// g_i . v_j + h_i, and that of a value is the weight times g_i.
struct RowSlopes {
  const FeatureAttention& a;
  std::size_t head;
  Rows out;
  const real* total;
  Rows slope;

  void read(std::size_t first, std::size_t count, real* g, real* h) const;
};

// Adds the slopes of one head's gates to `to` [m].
void add_gate_slopes(const RowSlopes& rows, real* to);

}  // namespace attend::fused
