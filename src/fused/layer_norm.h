// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/primitive.h"
#include "ops/program.h"

namespace attend::fused {

// LayerNorm over the last axis as one node. In: x, gamma and beta with as many numbers as a row of x, and eps, one
// number without a gradient. The result has the same digits as the formula of the graph.
extern const Primitive layer_norm;

// The program with such a node in place of every formula of a LayerNorm (layer_norm in ops/compose.h) whose eps is not
// learned. Nodes keep their ids. A training applies it before its gradients.
Program with_layer_norms(const Program& program);

}  // namespace attend::fused
