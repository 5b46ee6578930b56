// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ops/graph.h"

namespace attend {

// What a step is called in a module: by its symbol, or by what it does to what it reads (a projection, a residual sum,
// a mask), else by its primitive.
std::string name_of_step(const Graph& graph, NodeId id);

}  // namespace attend
