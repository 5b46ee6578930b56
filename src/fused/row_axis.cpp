// SPDX-License-Identifier: Apache-2.0
#include "fused/row_axis.h"

#include "ops/primitives/records.h"
#include "ops/row_axes.h"

namespace attend::fused {
namespace {

namespace p = primitives;

RowAxis rows_at(std::size_t axis) { return {RowAxis::Kind::rows, axis}; }
constexpr RowAxis fixed{RowAxis::Kind::fixed};

// The axis of an operand that broadcasting lays on the one that is so far from the end of the result.
RowAxis broadcast(const Shape& in, std::size_t from_end, std::size_t rows) {
  if (in.size() < from_end || in[in.size() - from_end] != rows) return fixed;
  return rows_at(in.size() - from_end);
}

}  // namespace

RowAxis row_axis(const Graph& graph, const Node& node, std::size_t axis, std::size_t operand) {
  const auto is = [&](const Primitive& one) { return node.primitive == &one; };
  const Shape& in = graph[node.inputs[operand]].shape;
  const std::size_t from_end = node.shape.size() - axis, rows = node.shape[axis];
  const Attributes& a = node.attributes;
  const bool last = from_end == 1;
  const auto own_unless = [&](bool mixed) { return mixed ? RowAxis{} : rows_at(axis); };
  const auto along = [&] { return axis_index(a[0], in.size()); };
  if (is(p::softmax) || is(p::entmax)) return last ? RowAxis{} : broadcast(in, from_end, rows);
  if (node.primitive->keeps_rows || is(p::broadcast_to)) return broadcast(in, from_end, rows);
  if (is(p::hinges)) return operand > 0 ? fixed : own_unless(last);
  // Along the last axis every place reads the whole row of the table.
  if (is(p::take) && last) return operand == 0 ? fixed : rows_at(in.size() - 1);
  if (is(p::argsort) || is(p::take) || is(p::put)) return own_unless(last);
  if (is(p::cumsum) || is(p::slice) || is(p::concat)) return own_unless(along() == axis);
  if (is(p::sum) || is(p::max) || is(p::argmax)) {
    if (a[1] != 0) return own_unless(along() == axis);
    return rows_at(axis < along() ? axis : axis + 1);
  }
  if (is(p::permute)) return rows_at(axis_index(a[axis], in.size()));
  if (is(p::reshape)) {
    const auto at = axis_after_reshape(node.shape, axis, in);
    return at ? rows_at(*at) : RowAxis{};
  }
  if (is(p::matmul) || is(p::squared_gaps)) {
    if (from_end > 2) return broadcast(in, from_end, rows);
    if ((from_end == 2) != (operand == 0)) return fixed;
    // The rows of the first operand and those of the second lie along the other axis where it is read transposed.
    const bool turned = is(p::matmul) && a[operand] != 0;
    const bool behind = operand == 0 ? turned : is(p::matmul) && !turned;
    return rows_at(in.size() - (behind ? 1 : 2));
  }
  return {};
}

void resize(Attributes& own, const Node& node, std::size_t axis, std::size_t extent) {
  const auto is = [&](const Primitive& one) { return node.primitive == &one; };
  if (is(p::reshape) || is(p::broadcast_to) || is(p::fill))
    own.integers[axis] = static_cast<long>(extent);
  // To the end, wherever that is.
  if (is(p::slice) && axis_index(own[0], node.shape.size()) == axis)
    own.integers[2] = own.integers[1] + static_cast<long>(extent);
}

}  // namespace attend::fused
