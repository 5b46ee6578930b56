// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/attention.h"

// softmax(scale q (E k)^T) (G v): keys and values are mixed down to r rows before anyone attends.
namespace attend::fused {

struct Mixed {
  Attention
      a;  // as for attend(), its n keys being those before they are mixed; neither mask nor bias nor band
  std::size_t r = 0;        // rows that are left
  const real* e = nullptr;  // [r n], of the keys; one for all heads
  const real* g = nullptr;  // [r n], of the values
};

void attend_mixed(const Mixed& x, Place out, Statistics statistics);

// Gradients of queries, keys and values, overwritten; e and g are constants.
void attend_mixed_backward(const Mixed& x, Rows out, Statistics statistics, Rows out_gradient,
                           const Gradients& gradients);

}  // namespace attend::fused
