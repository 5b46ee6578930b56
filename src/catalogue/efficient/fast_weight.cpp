// SPDX-License-Identifier: Apache-2.0
// Fast weights:  W_t = W_{t-1} + phi(k_t)^T v_t,  y_t = phi(q_t) W_t;
// with the delta rule:  W_t = W_{t-1} + beta_t phi(k_t)^T (v_t - phi(k_t) W_{t-1}),  beta_t = sigmoid(k_t w_beta)
// Schmidhuber 1992;  Schlag et al. 2021 (delta rule), arXiv:2102.11174
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "ops/scan.h"

namespace attend::fast_weight_entry {
namespace {

Var features(const CoreIn& in, Var x) {
  const Var phi = feature_map(in.text("phi"), x);
  return in.flag("sum_norm") ? ratio(phi, sum(phi, -1, true)) : phi;
}

// What a query reads at each step [.. n dv], and what is stored there after it: [n .. p dv].
struct Written {
  Var read, states;
};

Written corrected(const CoreIn& in, Var fq, Var fk, Var beta, Var v) {
  Shape shape =
      broadcast_shapes(fk.shape(), beta.shape());  // heads that share keys have a beta each
  shape.end()[-2] = fk.extent(-1);
  shape.back() = v.extent(-1);
  ScanRecorder steps(in.graph(), in.n());
  const Var W = steps.state({"W_{t-1}", zeros(in.graph(), shape)});  // [.. p dv]
  const Var q = steps.row({"\\varphi(q_t)", by_step(fq)}),
            k = steps.row({"\\varphi(k_t)", by_step(fk)});
  const Var value = steps.row({"v_t", by_step(v)}), b = steps.row({"\\beta_t", by_step(beta)});
  const Var after = let("W_t", W + matmul(k, b * (value - matmul(k, W)), true, false));
  steps.next(W, after);
  steps.output(matmul(q, after));  // [.. 1 dv]
  const Scanned done = steps.finish();
  return {by_row(done.outputs[0]), done.states[0]};
}

Weighing build(const CoreIn& in) {
  in.need_same_width();
  in.need_same_length("A key is written and a query reads in the same step");
  const Var fq = let("\\varphi(Q)", features(in, in.q)),
            fk = let("\\varphi(K)", features(in, in.k));
  const MadeOf made{
      .map = feature_map_of(in.text("phi")), .q = in.q, .k = in.k, .sum_norm = in.flag("sum_norm")};
  if (!in.flag("delta")) {
    return with_states(in, fk,
                       {[=](Var v) { return asked_sums(in, fq, fk, v, made); }, {}, "n", false});
  }
  const Var beta =  // [.. n 1]
      in.given("beta") ? transpose(in.param("beta"))
                       : let("\\beta", sigmoid(matmul(in.k, in.param("w_beta"), false, true)));
  return {[=, first = true](Var v) mutable {
            const Written all = corrected(in, fq, fk, beta, v);
            if (first && states_fit(in, fk.extent(-1), v))
              output_states(in, states_by_row(all.states));
            first = false;
            return in.stated(all.read, delta_intent({.map = made.map, .sum_norm = made.sum_norm}),
                             {in.q, in.k, v, beta});
          },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const auto features_of = [&](const Row& x) {
    const std::string& phi = in.text("phi");
    Row f;
    double total = 0;
    for (const double one : x) {
      f.push_back(phi == "elu+1"  ? (one > 0 ? one + 1 : std::exp(one))
                  : phi == "exp"  ? std::exp(one)
                  : phi == "relu" ? std::max(one, 0.0)
                                  : 1 + one);
      total += f.back();
    }
    for (double& one : f) one /= in.flag("sum_norm") && total != 0 ? total : 1;
    return f;
  };
  Row beta;  // given, or how far each key lets its old value go
  for (std::size_t t = 0; t < k.rows() && in.flag("delta"); ++t)
    beta.push_back(in.parameters.contains("beta")
                       ? in.parameter("beta").data[t]
                       : 1 / (1 + std::exp(-inner(k.row(t), in.parameter("w_beta").data))));
  Array states;
  const auto run = [&](const Array& v) {  // one value at a time, by the recurrence
    Array W({k.cols(), v.cols()}), y({q.rows(), v.cols()});
    states = Array({q.rows(), k.cols(), v.cols()});
    for (std::size_t t = 0; t < q.rows(); ++t) {
      const Row fk = features_of(k.row(t)), fq = features_of(q.row(t));
      for (std::size_t c = 0; c < v.cols(); ++c) {
        const double found = sum_over(fk.size(), [&](std::size_t r) { return fk[r] * W(r, c); });
        const double change = in.flag("delta") ? beta[t] * (v(t, c) - found) : v(t, c);
        for (std::size_t r = 0; r < fk.size(); ++r) W(r, c) += fk[r] * change;
        for (std::size_t r = 0; r < fq.size(); ++r) y(t, c) += fq[r] * W(r, c);
      }
      std::copy(W.data.begin(), W.data.end(),
                states.data.begin() + static_cast<long>(t * W.data.size()));
    }
    return y;
  };
  Array one_each({k.rows(), k.rows()});
  for (std::size_t j = 0; j < k.rows(); ++j) one_each(j, j) = 1;
  const Array map = run(one_each);
  const Array context = run(in["value"]);
  return {{"context", context}, {"implied", map}, {"weights", map}, {"states", states}};
}

extern const Mechanism record{
    .id = "fast-weight",
    .aliases = {"fast-weights"},
    .parameters = {{"w_beta", "p"}, {"beta", "n", Distribution::one}},
    .knobs = {choice_knob("phi", "elu+1", {"elu+1", "relu", "exp", "1+x"}),
              flag_knob("delta", false), flag_knob("sum_norm", false)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::fast_weight_entry
