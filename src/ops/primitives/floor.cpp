// SPDX-License-Identifier: Apache-2.0
// The largest whole number that is not above. No gradient.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend {
namespace {

Text said(const Text& x) { return {"\\lfloor " + x.text + " \\rfloor"}; }

}  // namespace

const Primitive primitives::floor = unary::record<said>({.name = "floor",
                                                         .forward = unary::forward<kernels::floor>,
                                                         .smooth = false,
                                                         .cost = cost::by_cell<1>});

Var floor(Var x) { return unary::recorded(primitives::floor, x); }

}  // namespace attend
