// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"
#include "tests/ops/counted.h"

// The loops of primitives that solve equations with whole matrices.
namespace attend::testing {

void inverse(std::vector<CountedTensor>& in, CountedTensor& out, const Node& node);
void solve_symmetric(std::vector<CountedTensor>& in, CountedTensor& out, const Node& node);

}  // namespace attend::testing
