// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "ops/graph.h"

namespace attend {

// Where the node's numbers begin within those of its first operand, if they lie there: nothing is computed, or the
// primitive writes `in_place`.
std::optional<std::size_t> view_of(const Graph& graph, NodeId id);

}  // namespace attend
