// SPDX-License-Identifier: Apache-2.0
// The product, cell by cell.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::multiply_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto... x) { kernels::multiply(x...); });
}

std::vector<Var> vjp(const Backward& b) {
  return binary::to_operands(b, b.gradient * b.in[1], b.gradient * b.in[0]);
}

Text said(const Text& a, const Text& b) {
  // A product with one over a root, as scores have it, is a fraction.
  constexpr std::string_view inverse = "\\frac{1}{";
  if (b.binding >= Text::atom && b.text.starts_with(inverse))
    return {"\\frac{" + a.text + "}{" + b.text.substr(inverse.size())};
  return {a.at(Text::product) + " \\cdot " + as_factor(b), Text::product};
}

Text in_python(const Text& a, const Text& b) {
  return {a.at(Text::product) + " * " + b.at(Text::prefix), Text::product};
}

constexpr binary::Neutral neutral{'1', '1'};

}  // namespace

const Primitive record =
    binary::record<said, neutral>({.name = "multiply",
                                   .forward = forward,
                                   .vjp = vjp,
                                   .python = binary::python<in_python, neutral>,
                                   .noun = "product",
                                   .cost = cost::by_cell<1>});

}  // namespace attend::multiply_primitive
