// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ops/workspace.h"

namespace attend {

// Computes once. `leaf_data` gives the numbers of each leaf that is needed and has no number of its
// own, in row-major order; what is wanted is kept. Throws as a Workspace does.
Values evaluate(const Graph& graph, const std::vector<Var>& wanted,
                const std::function<std::vector<real>(NodeId)>& leaf_data);

}  // namespace attend
