// SPDX-License-Identifier: Apache-2.0
// The hyperbolic tangent.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::tanh_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {b.gradient * (1 - b.out * b.out)}; }

Text said(const Text& x) { return latex_call("\\tanh", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "tanh",
                                              .forward = unary::forward<kernels::tanh>,
                                              .vjp = vjp,
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::tanh_primitive
