// SPDX-License-Identifier: Apache-2.0
// The sum.
#include <type_traits>

#include "kernels/elementwise.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::add_primitive {
namespace {

// The kernel is called through an address, which takes longer than a run as short as the bias of one head.
constexpr std::size_t short_run = 32;

void forward(const Forward& f) {
  binary::by_kernel(f, [](auto x, auto y, binary::Out out) {
    if constexpr (std::is_same_v<decltype(x), decltype(y)>) {
      if (out.size() <= short_run) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i] + y[i];
        return;
      }
    }
    kernels::add(x, y, out);
  });
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

namespace attend {

Var add(Var a, Var b) { return binary::recorded(primitives::add, a, b); }

}  // namespace attend
