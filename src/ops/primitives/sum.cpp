// SPDX-License-Identifier: Apache-2.0
// The sum over one axis.
#include "kernels/rows.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/reduction.h"
#include "ops/text.h"

namespace attend::sum_primitive {
namespace {

void forward(const Forward& f) {
  const AxisView v = reduction::view_of(f);
  if (v.inner == 1) return kernels::sum_rows(f.in[0], f.out, v.outer, v.length);
  for (std::size_t o = 0; o < v.outer; ++o) {
    kernels::sum_columns(f.in[0] + o * v.length * v.inner, f.out + o * v.inner, v.length, v.inner);
  }
}

std::vector<Var> vjp(const Backward& b) {
  return {broadcast_to(reduction::restored(b), b.in[0].shape())};
}

Text latex(const Expression& e) { return {"\\sum " + e.in[0].at(Text::product), Text::product}; }

Text python(const Expression& e) {
  return {tensor_operand(e, 0).at(Text::atom) + ".sum(" +
          reduction::python_axis(e, e.torch ? "keepdim" : "keepdims") + ")"};
}

Text cell(const CellQuery& q) {
  return joined(reduction::terms(q, reduction::line_of(q)), " + ", Text::sum);
}

}  // namespace

const Primitive record{.name = "sum",
                       .shape = reduction::shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = reduction::samples,
                       .noun = "total",
                       .batch = batch::by_operands,
                       .cost = cost::by_operand};

}  // namespace attend::sum_primitive
