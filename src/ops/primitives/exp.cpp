// SPDX-License-Identifier: Apache-2.0
// The exponential.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::exp_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {b.gradient * b.out}; }

Text said(const Text& x) { return {"e^{" + x.text + "}"}; }

}  // namespace

const Primitive record = unary::record<said>({.name = "exp",
                                              .forward = unary::forward<kernels::exp>,
                                              .vjp = vjp,
                                              .noun = "exponential",
                                              .cost = cost::by_cell<0, 1>});

}  // namespace attend::exp_primitive
