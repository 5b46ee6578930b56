// SPDX-License-Identifier: Apache-2.0
// Repeated along axes of extent 1 and new axes in front. Attributes: the result's extents.
#include "ops/batch_rules.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/extents.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::broadcast_to_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape wanted = to_shape(a.integers);
  if (broadcast_shapes(in[0], wanted) != wanted) {
    refuse("shape " + to_text(in[0]) + " cannot be repeated to " + to_text(wanted));
  }
  return wanted;
}

void forward(const Forward& f) {
  for_each_run<1>(f.node.shape, {*f.in_shapes[0]},
                  [&](std::size_t at, const auto& offset, std::size_t count, const auto& step) {
                    for (std::size_t i = 0; i < count; ++i)
                      f.out[at + i] = f.in[0][offset[0] + i * step[0]];
                  });
}

std::vector<Var> vjp(const Backward& b) { return {sum_to(b.gradient, b.in[0].shape())}; }

Text latex(const Expression& e) { return e.in[0]; }

Text python(const Expression& e) {
  return {module_of(e) + ".broadcast_to(" + tensor_operand(e, 0).text + ", " +
          python_tuple(e.node.attributes.integers) + ")"};
}

Text cell(const CellQuery& q) {
  return q.operand(0, broadcast_position(q.flat, *q.in_shapes[0], q.node.shape));
}

Var batch_rule(const Batch& b) {
  return broadcast_to(batch::aligned(b, 0, b.node.shape.size()), batch::shape_of(b));
}

}  // namespace

const Primitive record{.name = "broadcast_to",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 1}}, {{2, 3, 4}}}, {{{4}}, {{3, 4}}}},
                       .noun = "repeated",
                       .view = true,
                       .batch = batch_rule,
                       .cost = cost::moved};

}  // namespace attend::broadcast_to_primitive
