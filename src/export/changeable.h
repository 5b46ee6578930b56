// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// A node of a graph that is printed and never computed. Its shape stays and may contain stand-ins for sizes.
inline Node& changeable(Graph& graph, NodeId id) { return const_cast<Node&>(graph[id]); }

}  // namespace attend
