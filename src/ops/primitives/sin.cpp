// SPDX-License-Identifier: Apache-2.0
// The sine.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::sin_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {b.gradient * cos(b.in[0])}; }

Text said(const Text& x) { return latex_call("\\sin", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "sin",
                                              .forward = unary::forward<kernels::sin>,
                                              .vjp = vjp,
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::sin_primitive
