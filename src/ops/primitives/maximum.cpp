// SPDX-License-Identifier: Apache-2.0
// The larger of the two; on ties the gradient goes to the first.
#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::maximum_primitive {
namespace {

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto... x) { kernels::maximum(x...); });
}

std::vector<Var> vjp(const Backward& b) {
  const Var second = greater(b.in[1], b.in[0]);
  return binary::to_operands(b, b.gradient * (1 - second), b.gradient * second);
}

Text said(const Text& a, const Text& b) { return latex_call("\\max", {a, b}); }

// PyTorch has shorter words for a maximum with a number. All of them give the gradient on ties as `vjp` does:
// torch.relu nothing to its operand, torch.clamp all of it; torch.maximum, which would give half to each, is not used.
Text python(const Expression& e) {
  const Text &a = e.in[0], &b = e.in[1];
  const bool numbers = a.binding == Text::literal && b.binding == Text::literal;
  if (!e.torch) {
    return python_call("np.maximum", {numbers ? tensor_operand(e, 0) : a,
                                      b.binding == Text::literal ? Text{unbracketed(b.text)} : b});
  }
  if (!numbers && a.binding == Text::literal && a.text == "0.0")
    return python_call("torch.relu", {b});
  if (b.binding != Text::literal) return python_call("larger", {tensor_operand(e, 0), b});
  const Text first = numbers ? tensor_operand(e, 0) : a;
  return python_call("torch.clamp", {first, {"min=" + unbracketed(b.text)}});
}

}  // namespace

const Primitive record = binary::record<said>({.name = "maximum",
                                               .forward = forward,
                                               .vjp = vjp,
                                               .python = python,
                                               .smooth = false,
                                               .noun = "larger",
                                               .cost = cost::by_cell<1>});

}  // namespace attend::maximum_primitive
