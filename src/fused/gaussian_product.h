// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/primitive.h"

namespace attend::fused {

// exp(-scale |q_i - k_j|^2 / 2) v as one node that never holds the kernel. In: q [.. m p], k [.. n p], v [.. n dv];
// leading extents are those of q, or absent. The attributes' number is the scale. Out: [.. m dv].
extern const Primitive gaussian_product;

// Puts such nodes in place of the products with kernels of at least so many cells whose cells nobody asks for. Returns
// how many there were.
std::size_t fuse_gaussians(Graph& graph, const std::vector<Var>& wanted, std::size_t from_weights);

}  // namespace attend::fused
