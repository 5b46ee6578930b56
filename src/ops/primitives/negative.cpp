// SPDX-License-Identifier: Apache-2.0
// The number with its sign turned.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::negative_primitive {
namespace {

std::vector<Var> vjp(const Backward& b) { return {-b.gradient}; }

Text said(const Text& x) { return {"-" + as_factor(x), Text::sum}; }

Text python(const Expression& e) {
  return {"-" + tensor_operand(e, 0).at(Text::prefix), Text::prefix};
}

}  // namespace

const Primitive record = unary::record<said>({.name = "negative",
                                              .forward = unary::forward<kernels::negative>,
                                              .vjp = vjp,
                                              .python = python,
                                              .noun = "negated",
                                              .cost = cost::by_cell<1>});

}  // namespace attend::negative_primitive
