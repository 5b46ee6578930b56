// SPDX-License-Identifier: Apache-2.0
// The largest whole number that is not above. No gradient.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::floor_primitive {
namespace {

Text said(const Text& x) { return {"\\lfloor " + x.text + " \\rfloor"}; }

}  // namespace

const Primitive record = unary::record<said>({.name = "floor",
                                              .forward = unary::forward<kernels::floor>,
                                              .smooth = false,
                                              .cost = cost::by_cell<1>});

}  // namespace attend::floor_primitive
