// SPDX-License-Identifier: Apache-2.0
// The largest number along one axis; on ties the gradient goes to the lowest index.
#include "kernels/rows.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/reduction.h"
#include "ops/text.h"

namespace attend::max_primitive {
namespace {

void forward(const Forward& f) { reduction::by_rows(f, kernels::max_rows); }

std::vector<Var> vjp(const Backward& b) {
  const long axis = b.attributes[0];
  const Var winner = argmax(b.in[0], axis, true);
  const Var place = iota(winner.graph(), b.in[0].extent(axis), -axis);
  return {reduction::restored(b) * equal(winner, place)};
}

Text latex(const Expression& e) { return {"\\max " + e.in[0].at(Text::atom), Text::product}; }

// Not torch.amax, which shares the gradient among ties.
Text python(const Expression& e) {
  if (e.torch)
    return {"torch.max(" + e.in[0].text + ", " + reduction::python_axis(e, "keepdim") + ").values"};
  return {e.in[0].at(Text::atom) + ".max(" + reduction::python_axis(e, "keepdims") + ")"};
}

Text cell(const CellQuery& q) {
  return latex_call("\\max",
                    {joined(reduction::terms(q, reduction::line_of(q)), ",\\,", Text::atom)});
}

}  // namespace

const Primitive record{.name = "max",
                       .shape = reduction::shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = reduction::samples,
                       .smooth = false,
                       .noun = "largest",
                       .batch = batch::by_operands,
                       .cost = cost::by_operand};

}  // namespace attend::max_primitive
