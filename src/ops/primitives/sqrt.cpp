// SPDX-License-Identifier: Apache-2.0
// The square root.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::sqrt_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) {
  // 0 at 0, where the slope has no value.
  const Var positive = greater(b.out, scalar(b.out, 0));
  return {positive * b.gradient * 0.5 / where(positive, b.out, scalar(b.out, 1))};
}

// PyTorch's own has an infinite slope at 0, which 0 times makes NaN.
Text python(const Expression& e) {
  return e.torch ? python_call("square_root", {tensor_operand(e, 0)}) : unary::python(e);
}

Text said(const Text& x) { return {"\\sqrt{" + x.text + "}"}; }

}  // namespace

const Primitive record = unary::record<said>({.name = "sqrt",
                                              .forward = unary::forward<kernels::sqrt>,
                                              .vjp = vjp,
                                              .python = python,
                                              .samples = unary::between<3, 30>,
                                              .noun = "root",
                                              .cost = cost::by_cell<1>});

}  // namespace attend::sqrt_primitive
