// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "ops/graph.h"

namespace attend {

// Nodes that are one row of another node: of which.
using MadeRows = std::map<NodeId, NodeId>;

// Records one row of tensors. Each row needs only that row of what its tensor is made of, as far back as rows do not
// mix: one row of a map of weights without the map.
class RowRecorder {
 public:
  enum class Names { none, same };
  // Nodes that are marked in `whole` are computed as a whole anyway: their row is cut out of them.
  explicit RowRecorder(std::size_t row, Names names = Names::none, std::vector<bool> whole = {})
      : row_(row), names_(names), whole_(std::move(whole)) {}

  // That row of x [.. m n] as a node [.. 1 n] of the same graph. Throws Error when x has no such row.
  Var of(Var x);

  // The rows of named nodes, which have their names; none where names were not asked for.
  [[nodiscard]] const MadeRows& named() const { return named_; }

 private:
  Var record(Var x);

  std::size_t row_;
  Names names_;
  std::vector<bool> whole_;
  std::map<NodeId, NodeId> rows_;  // what several read is recorded once
  MadeRows named_;
};

// Throws Error: a shape with so many rows has no such row.
[[noreturn]] void refuse_row(std::size_t row, const Shape& shape, std::size_t rows);

// One row of one tensor.
inline Var row_of(Var x, std::size_t row) { return RowRecorder(row).of(x); }

}  // namespace attend
