// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/map_row.h"

#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

std::size_t rows_of(const Shape& shape) { return shape.size() < 2 ? 1 : shape.end()[-2]; }

}  // namespace

void refuse_row(std::size_t row, const Shape& shape, std::size_t rows) {
  refuse("there is no row " + std::to_string(row) + " in the shape " + to_text(shape) +
         "; it has " + std::to_string(rows) + " rows, counted from 0");
}

Var RowRecorder::record(Var x) {
  const Node& node = x.node();
  const std::size_t rows = rows_of(node.shape);
  if (node.shape.size() < 2) refuse("a tensor of shape " + to_text(node.shape) + " has no rows");
  if (row_ >= rows) refuse_row(row_, node.shape, rows);
  const bool whole = rows == 1 || (node.id < whole_.size() && whole_[node.id]);
  if (whole || node.primitive == nullptr) return slice(x, -2, row_, row_ + 1);
  const auto operand = [&](std::size_t k) {
    const Var in = x.graph().var(node.inputs[k]);
    return rows_of(in.shape()) == rows ? of(in) : in;
  };
  if (node.primitive->keeps_rows) {
    std::vector<Var> in;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) in.push_back(operand(k));
    return x.graph().record(*node.primitive, in, node.attributes);
  }
  if (node.primitive == &primitives::matmul && node.attributes[0] == 0)
    return matmul(operand(0), x.graph().var(node.inputs[1]), false, node.attributes[1] != 0);
  const bool same =
      (node.primitive == &primitives::reshape || node.primitive == &primitives::broadcast_to) &&
      x.graph()[node.inputs[0]].shape == node.shape;
  if (same) return operand(0);
  return slice(x, -2, row_, row_ + 1);
}

Var RowRecorder::of(Var x) {
  if (const auto known = rows_.find(x.id()); known != rows_.end())
    return x.graph().var(known->second);
  const Var row = record(x);
  rows_.emplace(x.id(), row.id());
  if (names_ == Names::same && !x.node().name.empty() &&
      named_.try_emplace(row.id(), x.id()).second)
    x.graph().rename(row, x.node().name);
  return row;
}

}  // namespace attend
