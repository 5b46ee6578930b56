// SPDX-License-Identifier: Apache-2.0
// Gated linear attention:  S_t = diag(alpha_t) S_{t-1} + k_t^T v_t,  o_t = scale q_t S_t;
// the gates are given, or come from the token:  alpha_t = sigmoid(x_t W_alpha + b_alpha)^(1/tau)
// Yang et al. 2023, section 4, arXiv:2312.06635
#include <cmath>

#include "catalogue/core_parts.h"
#include "catalogue/entry.h"
#include "catalogue/feature_maps.h"
#include "ops/scan.h"

namespace attend {
namespace {

// What each query reads [.. n dv], and the memory after each step [n .. p dv].
struct Remembered {
  Var read, states;
};

Remembered remembered(const CoreIn& in, Var q, Var alpha, Var v) {
  Shape shape = broadcast_shapes(in.k.shape(), alpha.shape());  // [.. n p]
  shape.end()[-2] = in.p();
  shape.back() = v.extent(-1);
  ScanRecorder steps(in.graph(), in.n());
  const Var S = steps.state({"S_{t-1}", zeros(in.graph(), shape)});  // [.. p dv]
  const Var a = steps.row({"\\alpha_t", by_step(alpha)}), k = steps.row({"k_t", by_step(in.k)});
  const Var value = steps.row({"v_t", by_step(v)}), asked = steps.row({"q_t", by_step(q)});
  const Var after = let("S_t", transpose(a) * S + matmul(k, value, true, false));
  steps.next(S, after);
  steps.output(matmul(asked, after));  // [.. 1 dv]
  const Scanned done = steps.finish();
  return {by_row(done.outputs[0]), done.states[0]};
}

Weighing build(const CoreIn& in) {
  in.need_same_width();
  in.need_same_length("A key is written and a query reads in the same step");
  const Var alpha = let("\\alpha", gate(in, "alpha", [&](Var x) {  // [.. n p]
                          return power(sigmoid(x), 1 / in.scalar("tau"));
                        }));
  const Var q = in.q * in.scalar("scale");  // [.. n p]
  return {[=, first = true](Var v) mutable {
            const Remembered all = remembered(in, q, alpha, v);
            if (first && states_fit(in, in.p(), v)) output_states(in, states_by_row(all.states));
            first = false;
            return all.read;
          },
          {},
          "n",
          false};
}

// A_ij = scale sum_c q_ic k_jc prod_{s=j+1..i} alpha_sc, by that quadratic form.
Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"];
  Array alpha({k.rows(), k.cols()});
  for (std::size_t t = 0; t < k.rows(); ++t) {
    for (std::size_t c = 0; c < k.cols(); ++c) {
      if (in.text("gates") == "given") {
        alpha(t, c) = in.parameter("alpha")(t, c);
        continue;
      }
      double x = in.parameter("b_alpha")(c);
      for (std::size_t r = 0; r < k.cols(); ++r) x += k(t, r) * in.parameter("W_alpha")(r, c);
      alpha(t, c) = std::exp(-std::log1p(std::exp(-x)) / in.number("tau"));
    }
  }
  Array map({q.rows(), k.rows()}), states({k.rows(), k.cols(), v.cols()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t c = 0; c < k.cols(); ++c) {
        double kept = 1;
        for (std::size_t s = j + 1; s <= i; ++s) kept *= alpha(s, c);
        map(i, j) += in.number("scale") * q(i, c) * k(j, c) * kept;
        for (std::size_t o = 0; o < v.cols(); ++o) states(i, c, o) += kept * k(j, c) * v(j, o);
      }
    }
  }
  return {{"context", weighted(map, v)}, {"implied", map}, {"weights", map}, {"states", states}};
}

}  // namespace

namespace catalogue {
extern const Mechanism gla_record;
const Mechanism gla_record{
    .id = "gla",
    .parameters = {{"alpha", "n p", Distribution::half},
                   {"W_alpha", "dx p"},
                   {"b_alpha", "p", Distribution::zero}},
    .knobs = {gates_knob, number_knob("tau", 16., 1, 32).above(0).log_scale(),
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
extern const Reference gla_reference;
const Reference gla_reference{reference};
}  // namespace catalogue
}  // namespace attend
