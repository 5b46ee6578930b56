// SPDX-License-Identifier: Apache-2.0
// 1 where a = b, else 0. No gradient.
#include "kernels/vector.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/binary.h"
#include "ops/primitives/records.h"

namespace attend::equal_primitive {
namespace {

void forward(const Forward& f) {
  using kernels::Batch;
  binary::by_run(f, [](const real* a, std::size_t sa, const real* b, std::size_t sb, real* out,
                       std::size_t count) {
    std::size_t i = 0;
    const auto several = [&](const real* x, std::size_t step) {
      return step == 0 ? Batch(*x) : Batch::load_unaligned(x + i);
    };
    for (; sa < 2 && sb < 2 && i + Batch::size <= count; i += Batch::size) {
      xsimd::select(several(a, sa) == several(b, sb), Batch(1), Batch(0)).store_unaligned(out + i);
    }
    for (; i < count; ++i) out[i] = a[i * sa] == b[i * sb] ? real(1) : real(0);
  });
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
