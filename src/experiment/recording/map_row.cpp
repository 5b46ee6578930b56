// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/map_row.h"

#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

std::size_t rows_of(const Shape& shape) { return shape.size() < 2 ? 1 : shape.end()[-2]; }

Var record_row(Var x, std::size_t row, MadeRows* made) {
  const Node& node = x.node();
  const std::size_t rows = rows_of(node.shape);
  if (node.shape.size() < 2 || row >= rows)
    refuse("there is no row " + std::to_string(row) + " in shape " + to_text(node.shape));
  const auto operand = [&](std::size_t k) {
    const Var in = x.graph().var(node.inputs[k]);
    return rows_of(in.shape()) == rows && rows > 1 ? row_of(in, row, made) : in;
  };
  if (rows > 1 && node.primitive != nullptr && node.primitive->keeps_rows) {
    std::vector<Var> in;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) in.push_back(operand(k));
    return x.graph().record(*node.primitive, in, node.attributes);
  }
  if (rows > 1 && node.primitive == &primitives::matmul && node.attributes[0] == 0)
    return matmul(operand(0), x.graph().var(node.inputs[1]), false, node.attributes[1] != 0);
  const bool same =
      (node.primitive == &primitives::reshape || node.primitive == &primitives::broadcast_to) &&
      x.graph()[node.inputs[0]].shape == node.shape;
  if (rows > 1 && same) return operand(0);
  return slice(x, -2, row, row + 1);
}

}  // namespace

Var row_of(Var x, std::size_t row, MadeRows* made) {
  const Var result = record_row(x, row, made);
  if (made != nullptr && !x.node().name.empty() && made->try_emplace(result.id(), x.id()).second)
    x.graph().rename(result, x.node().name);
  return result;
}

}  // namespace attend
