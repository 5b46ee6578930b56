// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/real.h"

// Attention natively, by the fused kernels and by Eigen, over numbers that files hold.
namespace attend::bench {

struct Numbers {
  std::size_t heads = 0;
  std::size_t rows = 0;
  std::size_t width = 0;
  std::vector<real> q, k, v, upstream;  // [heads rows width]; upstream only for gradients
};

struct Results {
  std::vector<real> output, dq, dk, dv;
};

void fused_attention(const Numbers& in, bool gradients, Results& out);
void eigen_attention(const Numbers& in, bool gradients, Results& out);

}  // namespace attend::bench
