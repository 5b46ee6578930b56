// SPDX-License-Identifier: Apache-2.0
// 1 where a = b, else 0. No gradient.
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::equal_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_cell(f, [](real a, real b) -> real { return a == b; });
}

Text said(const Text& a, const Text& b) { return {"[\\," + a.text + " = " + b.text + "\\,]"}; }

Text in_python(const Text& a, const Text& b) {
  return {"real(" + a.at(Text::product) + " == " + b.at(Text::product) + ")"};
}

}  // namespace

const Primitive record = binary::record<said>({.name = "equal",
                                               .forward = forward,
                                               .python = binary::python<in_python>,
                                               .samples = binary::between<0, 20>,
                                               .smooth = false,
                                               .noun = "same",
                                               .cost = cost::by_cell<1>});

}  // namespace attend::equal_primitive

namespace attend {

Var equal(Var a, Var b) { return binary::recorded(primitives::equal, a, b); }

}  // namespace attend
