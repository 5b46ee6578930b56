// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"
#include "tests/ops/counted.h"

// Networks of hinges and their gradients by plain loops that count what they do.
namespace attend::testing {

void hinges(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);
void hinge_slopes(std::vector<CountedTensor>& in, CountedTensor& out, const Node&);

}  // namespace attend::testing
