// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// A node of a graph that is printed and never computed: its shape stays, which may have stand-ins for sizes.
inline Node& changeable(Graph& graph, NodeId id) { return const_cast<Node&>(graph[id]); }

}  // namespace attend
