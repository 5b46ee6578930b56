// SPDX-License-Identifier: Apache-2.0
// The error function.
#include <numbers>

#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::erf_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) {
  return {b.gradient * (2 * std::numbers::inv_sqrtpi) * exp(-(b.in[0] * b.in[0]))};
}

Text said(const Text& x) { return latex_call("\\operatorname{erf}", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "erf",
                                              .forward = unary::forward<kernels::erf>,
                                              .vjp = vjp,
                                              .python = unary::python_helper,
                                              .noun = "error_function",
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::erf_primitive
