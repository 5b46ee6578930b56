// SPDX-License-Identifier: Apache-2.0
// The place of the largest number along one axis, the lowest on ties. No gradient.
#include "kernels/rows.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/reduction.h"
#include "ops/text.h"

namespace attend::argmax_primitive {
namespace {

void forward(const Forward& f) { reduction::by_rows(f, kernels::argmax_rows); }

Text latex(const Expression& e) {
  return {"\\operatorname{argmax} " + e.in[0].at(Text::atom), Text::product};
}

Text python(const Expression& e) {
  return {"real(" + e.in[0].at(Text::atom) + ".argmax(" +
          reduction::python_axis(e, e.torch ? "keepdim" : "keepdims") + "))"};
}

Text cell(const CellQuery& q) {
  return latex_call("\\operatorname{argmax}",
                    {joined(reduction::terms(q, reduction::line_of(q)), ",\\,", Text::atom)});
}

}  // namespace

const Primitive record{.name = "argmax",
                       .shape = reduction::shape,
                       .forward = forward,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = reduction::samples,
                       .smooth = false,
                       .noun = "winner",
                       .batch = batch::by_operands,
                       .cost = cost::by_operand};

}  // namespace attend::argmax_primitive
