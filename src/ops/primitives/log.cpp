// SPDX-License-Identifier: Apache-2.0
// The natural logarithm.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::log_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {b.gradient / b.in[0]}; }

Text said(const Text& x) { return latex_call("\\log", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "log",
                                              .forward = unary::forward<kernels::log>,
                                              .vjp = vjp,
                                              .samples = unary::between<3, 30>,
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::log_primitive
