// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"

namespace attend::fused {

// Puts one node in place of every context whose build states how it is computed (Intent::is_context), for at least so
// many pairs of a query and a key, where nothing reads what its formula computes on the way. Returns how many there
// were.
std::size_t fuse_forms(Graph& graph, const std::vector<Var>& wanted, std::size_t from_pairs);

}  // namespace attend::fused
