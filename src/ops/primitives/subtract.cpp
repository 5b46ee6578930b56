// SPDX-License-Identifier: Apache-2.0
// The difference.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::subtract_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto... x) { kernels::subtract(x...); });
}

std::vector<Var> vjp(const Backward& b) { return binary::to_operands(b, b.gradient, -b.gradient); }

Text said(const Text& a, const Text& b) { return {a.text + " - " + as_factor(b), Text::sum}; }

Text in_python(const Text& a, const Text& b) {
  return {a.text + " - " + b.at(Text::product), Text::sum};
}

constexpr binary::Neutral neutral{' ', '0'};

}  // namespace

const Primitive record =
    binary::record<said, neutral>({.name = "subtract",
                                   .forward = forward,
                                   .vjp = vjp,
                                   .python = binary::python<in_python, neutral>,
                                   .noun = "difference",
                                   .cost = cost::by_cell<1>});

}  // namespace attend::subtract_primitive
