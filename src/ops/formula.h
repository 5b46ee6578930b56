// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ops/graph.h"
#include "ops/primitive.h"

namespace attend {

// The right-hand side of a node in LaTeX: named operands and leaves by their names, nameless ones
// written out, down to where the text would pass `limit` characters.
std::string formula_of(const Graph& graph, NodeId node, std::size_t limit = 2000);

// A step's name as an expression: "E - \max E" is a sum, "Q W_1" a product, "\tau" one symbol.
Text name_text(std::string_view name);

}  // namespace attend
