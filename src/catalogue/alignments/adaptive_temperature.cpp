// SPDX-License-Identifier: Apache-2.0
// Self-adaptive temperature:
//   T_t = lambda^beta_t,  beta_t = tanh(c_{t-1}.W + q_t.U),  a_t = softmax(e_t / T_t)
// Lin et al. 2018 (Learning When to Concentrate or Divert Attention),
// arXiv:1808.07374
#include <numbers>

#include "catalogue/entry.h"

namespace attend::adaptive_temperature_entry {
namespace {

Var build(const AlignmentIn& in) {     // scores [1 n], one row at a time
  const Var q = in.query();            // [1 dq]
  const auto [W, U] = in.params<2>();  // [1 dv] [1 dq]
  Shape shape = q.shape();
  shape.back() = in.inputs.v.extent(-1);
  const Var before = in.past().context(zeros(in.graph(), shape));    // [1 dv]
  const Var beta = let("\\beta", tanh(dot(before, W) + dot(q, U)));  // [1]
  const Var T = let("T_t", power(in.scalar("lambda"), beta));        // [1]
  return softmax(in.scores / expand(T, -1), in.mask);                // [1 n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &v = in["value"];
  Row context(v.cols(), 0);
  return each_row(in, [&](std::size_t t, Row e) {
    const double beta = activate(
        "tanh", inner(context, in.parameter("W").data) + inner(q.row(t), in.parameter("U").data));
    for (double& score : e) score /= std::pow(in.number("lambda"), beta);
    const Row a = soft(e, [&](std::size_t j) { return in.allowed(t, j); });
    for (std::size_t c = 0; c < context.size(); ++c) {
      context[c] = 0;
      for (std::size_t j = 0; j < a.size(); ++j) context[c] += a[j] * v(j, c);
    }
    return a;
  });
}

extern const Mechanism record{.id = "adaptive-temperature",
                              .aliases = {"sact"},
                              .parameters = {{"W", "dv"}, {"U", "dq"}},
                              .knobs = {number_knob("lambda", std::numbers::e, 1, 10).above(0)},
                              .recurrent = true,
                              .needs_query = true,
                              .behaviour = Alignment{build}};
}  // namespace attend::adaptive_temperature_entry
