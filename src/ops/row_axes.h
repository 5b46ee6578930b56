// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/graph.h"
#include "ops/values.h"

namespace attend {

// What a tensor of a program is to one step of it.
struct RowValue {
  enum class Kind {
    fixed,  // depends on no row
    rows,   // has one axis of rows, of which the step computes its own
    pairs,  // has an axis of queries, of which the step computes its row, and one of keys behind it, which is whole
    parts,  // the flat result of a scan
    shifted,  // rows with fixed ones in front, or without the last ones: only a slice or a join may read it
  };
  Kind kind = Kind::fixed;
  std::size_t row = 0, key = 0;  // axes, from the front
  std::size_t lead = 0;  // of pairs: columns in front of the keys that are no keys, such as a sink
  std::size_t fixed_rows = 0;  // of shifted rows: how many fixed ones are in front
  NodeId base = 0, front = 0;  // of shifted rows: the tensor whose rows follow, and the fixed ones
  // What every key behind the query has, where that is one number.
  std::optional<double> beyond = {};
  Var var = {};                  // in the step's graph; none of what is fixed or parts
  std::vector<Var> parts = {};   // of a scan: the states after the step, then its outputs
  std::vector<Var> before = {};  // of a scan: the states before the step
  bool kept = false;  // the states of a scan, with the one before the first step in front

  [[nodiscard]] bool depends() const { return kind != Kind::fixed; }
};

// The number that all keys behind a query share in a tensor with axes of queries and keys, counted from its end; of a
// tensor without these axes the number that all its cells share. The first `lead` columns are no keys.
std::optional<double> beyond_of(const Shape& shape, Numbers numbers, std::size_t row_from_end,
                                std::size_t key_from_end, std::size_t lead = 0);

// The same of a primitive that computes each cell from one cell of each operand.
std::optional<double> beyond_of(const Node& node, const std::vector<std::optional<double>>& in);

// Where an axis of `extent` entries of one shape is in another that has the same numbers in the same order.
std::optional<std::size_t> axis_after_reshape(const Shape& from, std::size_t axis, const Shape& to);

}  // namespace attend
