// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "ops/graph.h"

namespace attend {

// Writes steps for which PyTorch has one word with that word: a sum divided by its count is a mean, a row that is
// centred and divided by its deviation a layer norm, and so are activations. The graph alone decides which steps these
// are. The last of them keeps its id, name and shape and reads what the first ones read; the steps in between stay for
// whoever reads them. The graph can only be printed afterwards, in PyTorch. `counts` compares a number with an extent.
void use_idioms(Graph& graph, const std::function<bool(double, std::size_t)>& counts);

}  // namespace attend
