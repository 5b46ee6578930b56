// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"

namespace attend {

// A graph recorded again for many examples, by the ids of the old one.
struct Batched {
  std::vector<Var> vars;  // empty where nothing wanted it
  std::vector<bool> led;  // whether it leads with an axis over the examples
};

// Records one node as it is, from operands that are in `so_far` already.
Var same_node(Graph& into, const Node& node, const std::vector<Var>& so_far);

// Records one node for many examples, from operands that stand in `so_far` already: at least one of
// them leads with the examples.
Var batched_node(const Graph& from, const Node& node, std::size_t size, const Batched& so_far);

// Records in `into`, for `size` examples of equal shapes at once, every leaf of `from` and the
// nodes that `wanted` needs. The leaves marked in `examples` (by id) lead with an axis over the
// examples, and so does everything that depends on one; the rest is recorded as it was, once for
// all. Names stay. Throws Error for no examples.
Batched batched(Graph& into, const Graph& from, const std::vector<NodeId>& wanted, std::size_t size,
                const std::vector<bool>& examples);

}  // namespace attend
