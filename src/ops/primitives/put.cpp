// SPDX-License-Identifier: Apache-2.0
// The transpose of take: out[.., index[.., i]] += x[.., i]. Attributes: the last extent.
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/indexing.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::put_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  indexing::need_same_leading(in);
  Shape out = in[0];
  out.back() = static_cast<std::size_t>(a[0]);
  return out;
}

void forward(const Forward& f) {
  const std::size_t count = f.in_shapes[0]->back(), size = f.node.shape.back();
  const std::size_t rows = size == 0 ? 0 : element_count(f.node.shape) / size;
  std::fill_n(f.out, rows * size, real{0});
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      f.out[r * size + indexing::checked(f.in[1][r * count + i], size, f.node)] +=
          f.in[0][r * count + i];
    }
  }
}

std::vector<Var> vjp(const Backward& b) { return {take(b.gradient, b.in[1]), Var{}}; }

// Place j gets what its index sends there: the sum over those whose index is j.
Text latex(const Expression& e) {
  return {"\\sum_{\\ell:\\, " + lowered(e.in[1], "\\ell") + " = j} " + lowered(e.in[0], "\\ell"),
          Text::product};
}

Text python(const Expression& e) {
  return python_call("put",
                     {tensor_operand(e, 0), tensor_operand(e, 1), {std::to_string(e.integer(0))}});
}

Text cell(const CellQuery& q) {
  const std::size_t count = q.in_shapes[0]->back(), size = q.node.shape.back();
  const std::size_t r = q.flat / size;
  std::vector<Text> terms;
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(q.value(1, r * count + i)) == q.flat % size)
      terms.push_back(q.operand(0, r * count + i));
  }
  return joined(terms, " + ", Text::sum);
}

}  // namespace

const Primitive record{.name = "put",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 6}, {3, 6}}, {{4}}, 0, 3, true}},
                       .noun = "placed",
                       .batch = batch::by_operands,
                       .cost = cost::by_operand};

}  // namespace attend::put_primitive

namespace attend {

Var put(Var x, Var index, std::size_t size) {
  return x.graph().record(primitives::put, indexing::with_same_leading(x, index),
                          {{static_cast<long>(size)}, 0});
}

}  // namespace attend
