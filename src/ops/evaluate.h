// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ops/graph.h"

namespace attend {

// Which nodes are computed, when each buffer is released, and the most memory ever held: known
// before anything is allocated.
struct Plan {
  std::vector<bool> needed;  // by node: computed at all
  std::vector<NodeId>
      last_use;  // by node: after this node its buffer goes (its own id when nobody reads it)
  std::vector<bool> kept;        // by node: stays for the caller
  std::uint64_t peak_bytes = 0;  // 64 bits where addresses have 32, too: a sum over many tensors
};

// Plans the computation of `wanted`, which are kept; every other buffer is released after its last
// use.
Plan plan(const Graph& graph, const std::vector<Var>& wanted);

// The values of a graph: by node, empty where not kept.
using Values = std::vector<std::vector<real>>;

// Computes. `leaf_data` gives the numbers of each leaf that is needed, in row-major order.
// Throws Error with the name of the step when a primitive refuses its operands' values (a singular
// matrix).
Values evaluate(const Graph& graph, const Plan& plan,
                const std::function<std::vector<real>(NodeId)>& leaf_data);

}  // namespace attend
