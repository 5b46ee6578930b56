// SPDX-License-Identifier: Apache-2.0
// Part of one axis. Attributes: the axis counted from the end (negative), start, stop.
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/parts.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::slice_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape part = in[0];
  std::size_t& extent = part[axis_index(a[0], part.size())];
  if (a[1] < 0 || a[1] > a[2] || a[2] > static_cast<long>(extent)) {
    refuse("entries " + std::to_string(a[1]) + " to " + std::to_string(a[2]) +
           " are outside an axis of " + std::to_string(extent));
  }
  extent = static_cast<std::size_t>(a[2] - a[1]);
  return part;
}

void forward(const Forward& f) {
  const Attributes& a = f.node.attributes;
  const AxisView v = view_axis(*f.in_shapes[0], axis_index(a[0], f.in_shapes[0]->size()));
  const std::size_t count = static_cast<std::size_t>(a[2] - a[1]) * v.inner;
  for (std::size_t o = 0; o < v.outer; ++o) {
    std::copy_n(f.in[0] + (o * v.length + static_cast<std::size_t>(a[1])) * v.inner, count,
                f.out + o * count);
  }
}

std::vector<Var> vjp(const Backward& b) {
  const long axis = b.attributes[0];
  Shape before = b.in[0].shape(), after = before;
  const std::size_t at = axis_index(axis, before.size());
  before[at] = static_cast<std::size_t>(b.attributes[1]);
  after[at] -= static_cast<std::size_t>(b.attributes[2]);
  std::vector<Var> parts;
  if (before[at] > 0) parts.push_back(zeros(b.gradient.graph(), before));
  parts.push_back(b.gradient);
  if (after[at] > 0) parts.push_back(zeros(b.gradient.graph(), after));
  return {parts.size() == 1 ? b.gradient : concat(parts, axis)};
}

Text python(const Expression& e) {
  if (*e.in_shapes[0] == e.node.shape) return e.in[0];
  const std::string range = std::to_string(e.integer(1)) + ":" + std::to_string(e.integer(2));
  if (-e.integer(0) == static_cast<long>(e.node.shape.size())) {
    return {e.in[0].at(Text::atom) + "[" + range + "]"};
  }
  std::string text = e.in[0].at(Text::atom) + "[..., " + range;
  for (long axis = e.integer(0); axis < -1; ++axis) text += ", :";
  return {text + "]"};
}

Text latex(const Expression& e) {
  const std::string range = e.integer(2) == e.integer(1) + 1
                                ? std::to_string(e.integer(1))
                                : std::to_string(e.integer(1)) + ":" + std::to_string(e.integer(2));
  return {lowered(e.in[0], "[" + range + "]")};
}

Text cell(const CellQuery& q) {
  const Shape& in = *q.in_shapes[0];
  const std::size_t axis = axis_index(q.node.attributes[0], in.size());
  std::vector<std::size_t> index = unravel(q.flat, q.node.shape);
  index[axis] += static_cast<std::size_t>(q.node.attributes[1]);
  return q.operand(0, ravel(index, in));
}

Var batch_rule(const Batch& b) {
  const Attributes& a = b.node.attributes;
  return slice_of_parts(batch::spread(b, 0), a[0], static_cast<std::size_t>(a[1]),
                        static_cast<std::size_t>(a[2]));
}

// Only what is kept is read.
Cost cost_rule(const Sizes& s) { return {.bytes = 2 * cost::cells(s.node.shape) * sizeof(real)}; }

}  // namespace

const Primitive record{
    .name = "slice",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{3, 4}}, {{-1, 1, 3}}}, {{{2, 5, 3}}, {{-2, 0, 4}}}, {{{3, 4}}, {{-2, 0, 3}}}},
    .noun = "part",
    .view = true,
    .batch = batch_rule,
    .cost = cost_rule};

}  // namespace attend::slice_primitive

namespace attend {

Var slice_of_parts(Var x, long axis, std::size_t start, std::size_t stop) {
  const Node& node = x.node();
  if (node.primitive != &primitives::concat) return slice(x, axis, start, stop);
  if (axis_index(axis, x.rank()) != axis_index(node.attributes[0], x.rank()))
    return slice(x, axis, start, stop);
  std::size_t at = 0;
  for (const NodeId input : node.inputs) {
    const Var part = x.graph().var(input);
    const std::size_t end = at + part.extent(axis);
    if (start >= at && stop <= end && stop > start)
      return start == at && stop == end ? part : slice(part, axis, start - at, stop - at);
    at = end;
  }
  return slice(x, axis, start, stop);
}

Var slice(Var x, long axis, std::size_t start, std::size_t stop) {
  const long from = from_end(axis_index(axis, x.rank()), x.rank());
  return x.graph().record(primitives::slice, {x},
                          {{from, static_cast<long>(start), static_cast<long>(stop)}, 0});
}

}  // namespace attend
