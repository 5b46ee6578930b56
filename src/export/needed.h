// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "export/program.h"

namespace attend {

// How often each node is read on the way to the results, by node; -1 where it is not needed at all.
std::vector<long> uses_of(const Listing& program);
std::vector<long> uses_of(const Graph& graph, const std::vector<NodeId>& results);

}  // namespace attend
