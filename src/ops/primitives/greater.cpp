// SPDX-License-Identifier: Apache-2.0
// 1 where a > b, else 0. No gradient.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::greater_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto... x) { kernels::greater(x...); });
}

Text said(const Text& a, const Text& b) { return {"[\\," + a.text + " > " + b.text + "\\,]"}; }

Text in_python(const Text& a, const Text& b) {
  return {"real(" + a.at(Text::product) + " > " + b.at(Text::product) + ")"};
}

}  // namespace

const Primitive record = binary::record<said>({.name = "greater",
                                               .forward = forward,
                                               .python = binary::python<in_python>,
                                               .smooth = false,
                                               .noun = "above",
                                               .cost = cost::by_cell<1>});

}  // namespace attend::greater_primitive
