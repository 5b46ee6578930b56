// SPDX-License-Identifier: Apache-2.0
// a to the power b, for a >= 0; the gradient at a = 0 is 0.
#include <cmath>

#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::power_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_cell(f, [](real a, real b) { return std::pow(a, b); });
}

std::vector<Var> vjp(const Backward& b) {
  const Var zero = scalar(b.gradient, 0);
  const Var positive = greater(b.in[0], zero);
  const Var base = where(positive, b.in[0], zero + 1);
  return binary::to_operands(b,
                             where(positive, b.gradient * b.in[1] * power(base, b.in[1] - 1), zero),
                             where(positive, b.gradient * b.out * log(base), zero));
}

Text said(const Text& a, const Text& b) { return {raised(a, b.text)}; }

Text in_python(const Text& a, const Text& b) {
  return {a.at(Text::atom) + " ** " + b.at(Text::atom), Text::product};
}

}  // namespace

const Primitive record = binary::record<said>({.name = "power",
                                               .forward = forward,
                                               .vjp = vjp,
                                               .python = binary::python<in_python>,
                                               .samples = binary::between<3, 30>,
                                               .cost = cost::by_cell<0, 1>});

}  // namespace attend::power_primitive
