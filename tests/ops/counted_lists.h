// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"
#include "tests/ops/counted.h"

// The loops of primitives over rows that lists name, and over the distances of rows.
namespace attend::testing {

void squared_gaps(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);
void gap_sums(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);
void listed_products(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);
void listed_sums(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);
void listed_spread(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);

}  // namespace attend::testing
