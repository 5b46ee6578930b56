// SPDX-License-Identifier: Apache-2.0
// The same number, as a constant: no gradient passes through it.
#include <algorithm>

#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unary.h"

namespace attend::detach_primitive {
namespace {

void forward(const Forward& f) { std::copy_n(f.in[0], element_count(f.node.shape), f.out); }

Text said(const Text& x) { return x; }

Text python(const Expression& e) {
  const Text x = tensor_operand(e, 0);
  return e.torch ? Text{x.at(Text::atom) + ".detach()"} : x;
}

}  // namespace

const Primitive record = unary::record<said>(
    {.name = "detach", .forward = forward, .python = python, .smooth = false, .cost = cost::moved});

}  // namespace attend::detach_primitive
