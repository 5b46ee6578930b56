// SPDX-License-Identifier: Apache-2.0
// The slope of the sum of all w_ij x_i y_j D_ij by each decay: w [.. B B], x, y, decay [.. B p] -> [.. B p]. It is the
// gradient of two primitives of ops/decays.h, and has none itself.
#include "ops/batch_rules.h"
#include "ops/decays.h"
#include "ops/primitives/decaying.h"

namespace attend {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  decaying::need(in, 1);
  return in[3];
}

void forward(const Forward& f) {
  decaying::for_each_block(f, [](kernels::Decays decays, auto place, real* out) {
    kernels::decay_slopes(decays, place(0), place(1), place(2), out);
  });
}

Cost cost_rule(const Sizes& s) { return decaying::cost_of(s, 4); }

const Primitive slopes{.name = "decay_slopes",
                       .shape = shape,
                       .forward = forward,
                       .smooth = false,
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace

Var decay_slopes(Var w, Var x, Var y, Var decay) { return attend::apply(slopes, {w, x, y, decay}); }

}  // namespace attend
