// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ops/graph.h"
#include "ops/primitive.h"

namespace attend {

// A scan whose step a node belongs to, and the graph of the scan.
struct Around {
  const Graph* graph;
  NodeId scan;
};

// Superscripts that tell nodes of one name apart; those of a scan's step, too.
using NodeMarks = std::map<const Node*, std::string>;

// A node's name with its mark, where it has one; a product or a sum goes in brackets first.
std::string marked_name(const Node& node, const NodeMarks& marks);

// The right-hand side of a node in LaTeX: named operands and leaves by their names, nameless ones
// written out, down to where the text would pass `limit` characters. `around` are the scans that
// the node's graph is the step of, the outermost first.
std::string formula_of(const Graph& graph, NodeId node, std::size_t limit = 2000,
                       const std::vector<Around>& around = {}, const NodeMarks& marks = {});

// A step's name as an expression: "E - \max E" is a sum, "Q W_1" a product, "\tau" one symbol.
Text name_text(std::string_view name);

}  // namespace attend
