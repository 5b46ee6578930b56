// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ops/graph.h"

namespace attend {

// Softmax gives the same whatever its whole row is moved by; kernels and mechanisms move it for the
// sake of large scores. Explanations leave that out: these say where.

// x of a nameless `x - detach(r)`, r being one number a row.
std::optional<NodeId> before_shift(const Graph& graph, NodeId id);

// Whether the node is a nameless `x / r`, through which a shift of x may be looked for.
bool scales_row(const Graph& graph, NodeId id);

}  // namespace attend
