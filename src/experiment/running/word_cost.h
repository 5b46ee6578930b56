// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/cost.h"

namespace attend {

// The cost of the marked nodes if the leaves in `words` (by id) hold one word a row, as a 1 among zeros: a product with
// such rows is a lookup, and the gradient of a table adds up rows (docs/cost.md).
Cost cost_of(const Graph& graph, const std::vector<bool>& needed, std::vector<bool> words);

}  // namespace attend
