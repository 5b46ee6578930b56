// SPDX-License-Identifier: Apache-2.0
// The same numbers read as another shape. Attributes: its extents.
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/extents.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::reshape_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape wanted = to_shape(a.integers);
  if (element_count(wanted) != element_count(in[0])) {
    refuse("shape " + to_text(in[0]) + " cannot be read as " + to_text(wanted));
  }
  return wanted;
}

void forward(const Forward& f) { std::copy_n(f.in[0], element_count(f.node.shape), f.out); }

std::vector<Var> vjp(const Backward& b) { return {reshape(b.gradient, b.in[0].shape())}; }

Text latex(const Expression& e) { return e.in[0]; }

// Axes of extent 1 that come or go are written as an index, "x[:, None, :]"; anything else keeps
// its numbers as a shape.
std::string reshape_index(const Shape& from, const Shape& to) {
  std::string index;
  bool inserted = false, removed = false;
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    const std::size_t left_from = from.size() - i, left_to = to.size() - j;
    index += index.empty() ? "" : ", ";
    if (i < from.size() && j < to.size() && from[i] == to[j] &&
        (from[i] != 1 || left_from == left_to)) {
      index += ":";
      ++i;
      ++j;
    } else if (j < to.size() && to[j] == 1 && left_to > left_from) {
      index += "None";
      inserted = true;
      ++j;
    } else if (i < from.size() && from[i] == 1 && left_from > left_to) {
      index += "0";
      removed = true;
      ++i;
    } else {
      return "";
    }
  }
  if (inserted && removed) return "";
  std::size_t colons = 0;  // axes at the front that stay
  while (index.compare(3 * colons, 3, ":, ") == 0) ++colons;
  return colons < 2 ? index : "..., " + index.substr(3 * colons);
}

Text python(const Expression& e) {
  if (*e.in_shapes[0] == e.node.shape) return e.in[0];
  const std::string x = tensor_operand(e, 0).at(Text::atom);
  const std::string index = reshape_index(*e.in_shapes[0], e.node.shape);
  return {index.empty() ? x + ".reshape(" + python_tuple(e.node.attributes.integers) + ")"
                        : x + "[" + index + "]"};
}

Text cell(const CellQuery& q) { return q.operand(0, q.flat); }

Var batch_rule(const Batch& b) { return reshape(b.in[0], batch::shape_of(b)); }

}  // namespace

const Primitive record{.name = "reshape",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}}, {{2, 6}}}, {{{4}}, {{1, 4, 1}}}},
                       .noun = "shaped",
                       .view = true,
                       .batch = batch_rule,
                       .cost = cost::moved};

}  // namespace attend::reshape_primitive
