// SPDX-License-Identifier: Apache-2.0
// The number without its sign.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::absolute_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) {
  const Var zero = scalar(b.in[0], 0);
  return {b.gradient * (greater(b.in[0], zero) - greater(zero, b.in[0]))};
}

Text said(const Text& x) { return {"\\left|" + x.text + "\\right|"}; }

}  // namespace

const Primitive record = unary::record<said>({.name = "absolute",
                                              .forward = unary::forward<kernels::absolute>,
                                              .vjp = vjp,
                                              .smooth = false,
                                              .cost = cost::by_cell<1>});

}  // namespace attend::absolute_primitive
