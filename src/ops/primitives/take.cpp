// SPDX-License-Identifier: Apache-2.0
// Picks along the last axis by an index: out[.., i] = x[.., index[.., i]].
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/indexing.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::take_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  indexing::need_same_leading(in);
  return in[1];
}

void forward(const Forward& f) {
  const std::size_t size = f.in_shapes[0]->back(), count = f.node.shape.back();
  const std::size_t rows = count == 0 ? 0 : element_count(f.node.shape) / count;
  for (std::size_t r = 0; r < rows; ++r) {
    const real *const from = f.in[0] + r * size, *const index = f.in[1] + r * count;
    real* const out = f.out + r * count;
    for (std::size_t i = 0; i < count; ++i)
      out[i] = from[indexing::checked(index[i], size, f.node)];
  }
}

std::vector<Var> vjp(const Backward& b) {
  return {put(b.gradient, b.in[1], b.in[0].extent(-1)), Var{}};
}

Text latex(const Expression& e) { return {lowered(e.in[0], "[" + e.in[1].text + "]")}; }

Text python(const Expression& e) {
  return python_call("take", {tensor_operand(e, 0), tensor_operand(e, 1)});
}

Text cell(const CellQuery& q) {
  const std::size_t count = q.node.shape.back(), size = q.in_shapes[0]->back();
  return q.operand(0, q.flat / count * size + static_cast<std::size_t>(q.value(1, q.flat)));
}

// How many numbers are read at least once hangs on the index.
Cost cost_rule(const Sizes& s) {
  const std::uint64_t picked = cost::cells(s.node.shape);
  const std::uint64_t read = std::min(picked, cost::cells(*s.in[0]));
  return {.bytes = (read + 2 * picked) * sizeof(real), .exact = false};
}

}  // namespace

const Primitive record{
    .name = "take",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{3, 4}, {3, 6}}, {}, 0, 3, true}, {{{2, 3, 4}, {2, 3, 2}}, {}, 0, 3, true}},
    .noun = "taken",
    .batch = batch::by_operands,
    .cost = cost_rule};

}  // namespace attend::take_primitive

namespace attend {

Var take(Var x, Var index) {
  return x.graph().record(primitives::take, indexing::with_same_leading(x, index), {});
}

}  // namespace attend
