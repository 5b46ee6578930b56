// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "export/program.h"

namespace attend {

// For each node, how often it is read on the way to the results; -1 where it is not needed at all.
std::vector<long> uses_of(const Listing& program);
std::vector<long> uses_of(const Graph& graph, const std::vector<NodeId>& results);

// Whether code for these nodes holds sizes: loops over so many steps, slices, reshapes, ranges. It is right for inputs
// of just these shapes, while a mere formula is right for any.
bool holds_sizes(const Graph& graph, const std::vector<long>& uses);

}  // namespace attend
