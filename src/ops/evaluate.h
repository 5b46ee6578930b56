// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ops/memo.h"
#include "ops/values.h"

namespace attend {

// Which nodes are computed, when each buffer is released, and the most memory ever held: known
// before anything is allocated.
struct Plan {
  std::vector<bool> needed;  // by node: computed at all
  std::vector<NodeId>
      last_use;  // by node: after this node its buffer goes (its own id when nobody reads it)
  std::vector<bool> kept;        // by node: stays for the caller
  std::vector<Numbers> known;    // by node: its numbers, where a memo has them
  std::uint64_t peak_bytes = 0;  // 64 bits where addresses have 32, too: a sum over many tensors
};

// Plans the computation of `wanted`, which are kept; every other buffer is released after its last
// use. What `memo` knows is not computed again, nor what only that needs.
Plan plan(const Graph& graph, const std::vector<Var>& wanted, const Memo* memo = nullptr);

// Computes. `leaf_data` gives the numbers of each leaf that is needed, in row-major order. With a
// memo that looks at this graph, known numbers come from there, and those that are kept go there.
// Throws Error with the name of the step when a primitive refuses its operands' values (a singular
// matrix).
Values evaluate(const Graph& graph, const Plan& plan,
                const std::function<std::vector<real>(NodeId)>& leaf_data, Memo* memo = nullptr);

}  // namespace attend
