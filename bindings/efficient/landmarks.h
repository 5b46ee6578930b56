// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fused/attention.h"

// Attention through s landmarks. Both forms cost n times s.
namespace attend::fused {

// The Nystrom form of a Gaussian kernel: c(Q, L) (c(L, L) + ridge I)^-1 c(L, K) V, c(x, y) = e^{-scale |x - y|^2 / 2},
// its landmarks L being rows of [Q; K].
struct Nystrom {
  Attention a;  // heads, m, n, d, dv, q, k, v and scale
  std::size_t s = 0;
  const std::uint32_t* landmarks = nullptr;  // [s], below m + n; one list for all heads
  real ridge = 0;
};

// Zeros where the matrix of the landmarks has no inverse.
void attend_nystrom(const Nystrom& x, Place out);

// Gradients of queries, keys and values, the landmarks' own share among them; one head after the other. Overwritten.
void attend_nystrom_backward(const Nystrom& x, Rows out_gradient, const Gradients& gradients);

// Clusters of queries share one row of weights, that of their mean: softmax(scale q^c K^T) V.
struct Clusters {
  Attention a;  // as for attend(), without bias, mask and band
  std::size_t c = 0;
  const std::uint32_t* of = nullptr;  // [m], the cluster of each query; one list for all heads
};

void attend_clusters(const Clusters& x, Place out);

void attend_clusters_backward(const Clusters& x, Rows out_gradient, const Gradients& gradients);

}  // namespace attend::fused
