// SPDX-License-Identifier: Apache-2.0
// The angle whose cosine the number is.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::arccos_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {-(b.gradient / sqrt(1 - b.in[0] * b.in[0]))}; }

Text said(const Text& x) { return latex_call("\\arccos", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "arccos",
                                              .forward = unary::forward<kernels::arccos>,
                                              .vjp = vjp,
                                              .samples = unary::between<-9, 9>,
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::arccos_primitive
