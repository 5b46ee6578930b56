// SPDX-License-Identifier: Apache-2.0
// Operands joined along one axis. Attributes: the axis counted from the end (negative).
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::concat_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape whole = in[0];
  const std::size_t axis = axis_index(a[0], whole.size());
  whole[axis] = 0;
  for (const Shape& part : in) {
    Shape rest = part;
    if (rest.size() == whole.size()) rest[axis] = whole[axis];
    if (rest != whole) {
      refuse("shapes " + to_text(in[0]) + " and " + to_text(part) + " cannot be joined");
    }
    whole[axis] += part[axis];
  }
  return whole;
}

void forward(const Forward& f) {
  const std::size_t axis = axis_index(f.node.attributes[0], f.node.shape.size());
  const AxisView whole = view_axis(f.node.shape, axis);
  real* out = f.out;
  for (std::size_t o = 0; o < whole.outer; ++o) {
    for (std::size_t k = 0; k < f.in.size(); ++k) {
      const std::size_t count = (*f.in_shapes[k])[axis] * whole.inner;
      out = std::copy_n(f.in[k] + o * count, count, out);
    }
  }
}

std::vector<Var> vjp(const Backward& b) {
  std::vector<Var> gradients;
  std::size_t start = 0;
  for (const Var& part : b.in) {
    const std::size_t extent = part.extent(b.attributes[0]);
    gradients.push_back(slice(b.gradient, b.attributes[0], start, start + extent));
    start += extent;
  }
  return gradients;
}

Text cell(const CellQuery& q) {
  const std::size_t axis = axis_index(q.node.attributes[0], q.node.shape.size());
  std::vector<std::size_t> index = unravel(q.flat, q.node.shape);
  std::size_t k = 0;
  while (index[axis] >= (*q.in_shapes[k])[axis]) index[axis] -= (*q.in_shapes[k++])[axis];
  return q.operand(k, ravel(index, *q.in_shapes[k]));
}

Text python(const Expression& e) {
  std::vector<Text> parts;
  for (std::size_t k = 0; k < e.in.size(); ++k) parts.push_back(tensor_operand(e, k));
  return {module_of(e) + (e.torch ? ".cat(" : ".concatenate(") + python_call("", parts).text +
          ", axis=" + std::to_string(e.integer(0)) + ")"};
}

// What has no entries, such as the rest of a last block that is full, is not written.
Text latex(const Expression& e) {
  std::vector<Text> parts;
  for (std::size_t k = 0; k < e.in.size(); ++k) {
    if (element_count(*e.in_shapes[k]) > 0) parts.push_back(e.in[k]);
  }
  if (parts.size() == 1) return parts[0];
  return {"\\left[" + joined(parts, ";\\,", Text::atom).text + "\\right]"};
}

}  // namespace

const Primitive record{
    .name = "concat",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{3, 2}, {3, 4}}, {{-1}}}, {{{2, 3, 2}, {2, 1, 2}, {2, 2, 2}}, {{-2}}}},
    .noun = "joined",
    .batch = batch::by_operands,
    .cost = cost::moved};

}  // namespace attend::concat_primitive
