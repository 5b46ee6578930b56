// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ops/row_axes.h"
#include "ops/workspace.h"

namespace attend {

// Marks of pairs of a step and a row, [count count].
using Marks = std::vector<std::uint8_t>;

// What the steps of a program found out about it.
struct StepTrace {
  const Graph& graph;
  const std::vector<RowValue>& values;
  const Workspace& numbers;  // of what depends on no row
  std::size_t count;
};

// By kept tensor: the rows of it that each step may read. A row is left out only where numbers that depend on no row,
// such as those of a mask, show that its weight is 0: what a form chooses by its scores may be any of its keys.
std::map<NodeId, Marks> rows_read(const StepTrace& trace, const std::vector<NodeId>& kept,
                                  const std::vector<NodeId>& results);

}  // namespace attend
