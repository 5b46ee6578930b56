// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"
#include "tests/ops/counted.h"

// The loops of primitives over the rows of a block and the decays between them.
namespace attend::testing {

void decayed_pairs(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);
void decayed_sums(std::vector<CountedTensor>& in, CountedTensor& out, const Node& node);
void running_product(std::vector<CountedTensor>& in, CountedTensor& out, const Node& node);
void solve_triangle(std::vector<CountedTensor>& in, CountedTensor& out, const Node& node);

}  // namespace attend::testing
