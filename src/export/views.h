// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "ops/graph.h"

namespace attend {

// Reshapes that follow each other become one, a slice of one row whose axis is dropped an index, and an operand loses
// leading axes that it gets by itself. The graph can only be printed afterwards.
void join_views(Graph& graph);

// Where rows of words [batch rows words] are rearranged and then multiplied by a table, the table's rows are looked up
// first and rearranged then: code has an index for the first, and none for the second. For graphs that are printed
// only.
void embed_words(Graph& graph, const std::set<NodeId>& words);

}  // namespace attend
