// SPDX-License-Identifier: Apache-2.0
// The cosine.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::cos_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {-(b.gradient * sin(b.in[0]))}; }

Text said(const Text& x) { return latex_call("\\cos", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "cos",
                                              .forward = unary::forward<kernels::cos>,
                                              .vjp = vjp,
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::cos_primitive
