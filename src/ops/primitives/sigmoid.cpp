// SPDX-License-Identifier: Apache-2.0
// The logistic function, 1 / (1 + e^-x).
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::sigmoid_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {b.gradient * b.out * (1 - b.out)}; }

Text said(const Text& x) { return latex_call("\\sigma", {x}); }

}  // namespace

const Primitive record = unary::record<said>({.name = "sigmoid",
                                              .forward = unary::forward<kernels::sigmoid>,
                                              .vjp = vjp,
                                              .python = unary::python_helper,
                                              .noun = "gate",
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::sigmoid_primitive
