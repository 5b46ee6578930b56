// SPDX-License-Identifier: Apache-2.0
// The sum.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::add_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto... x) { kernels::add(x...); });
}

std::vector<Var> vjp(const Backward& b) { return binary::to_operands(b, b.gradient, b.gradient); }

Text said(const Text& a, const Text& b) { return {a.text + " + " + as_addend(b), Text::sum}; }

Text in_python(const Text& a, const Text& b) {
  return {a.text + " + " + b.at(Text::product), Text::sum};
}

constexpr binary::Neutral neutral{'0', '0'};

}  // namespace

const Primitive record =
    binary::record<said, neutral>({.name = "add",
                                   .forward = forward,
                                   .vjp = vjp,
                                   .python = binary::python<in_python, neutral>,
                                   .noun = "total",
                                   .cost = cost::by_cell<1>});

}  // namespace attend::add_primitive
