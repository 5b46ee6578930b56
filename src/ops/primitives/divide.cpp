// SPDX-License-Identifier: Apache-2.0
// The ratio.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::divide_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto... x) { kernels::divide(x...); });
}

std::vector<Var> vjp(const Backward& b) {
  return binary::to_operands(b, b.gradient / b.in[1], -(b.gradient * b.out / b.in[1]));
}

Text said(const Text& a, const Text& b) { return {"\\frac{" + a.text + "}{" + b.text + "}"}; }

Text in_python(const Text& a, const Text& b) {
  return {a.at(Text::product) + " / " + b.at(Text::prefix), Text::product};
}

constexpr binary::Neutral neutral{' ', '1'};

}  // namespace

const Primitive record =
    binary::record<said, neutral>({.name = "divide",
                                   .forward = forward,
                                   .vjp = vjp,
                                   .python = binary::python<in_python, neutral>,
                                   .samples = binary::between<5, 30>,
                                   .noun = "ratio",
                                   .cost = cost::by_cell<1>});

}  // namespace attend::divide_primitive
