// SPDX-License-Identifier: Apache-2.0
// Coverage, linguistic:  beta_tj = beta_{t-1,j} + a_tj / Phi_j,  Phi_j = N sigma(k_j . u),
//   e_tj = tanh(q_t W + k_j U + beta_{t-1,j} v_beta) . w
// Tu et al. 2016 (Modeling Coverage for Neural Machine Translation), section 3.1, arXiv:1601.04811
#include "catalogue/entry.h"

namespace attend::coverage_linguistic_entry {
namespace {

// beta_{t-1} [1 n]: what the earlier rows have spent of each key's fertility.
Var spent(const ScoreIn& in) {
  const Var u = in.param("u"), initial = in.weights_like(in.param("initial"));
  const Var open = sigmoid(matmul(u, in.k, false, true));  // [1 n]
  // Far below any fertility that matters; a weight over 0 would be infinite.
  const Var fertility = let("\\Phi", in.scalar("N") * maximum(open, scalar(open, 1e-30)));
  const Past past = in.past();
  const Var before = past.weights(zeros(in.graph(), initial.shape()));
  const Var beta = let("\\beta", past.state("\\beta", initial) + before / fertility);
  past.keep("\\beta", beta);
  return beta;
}

Var build(const ScoreIn& in) {  // q [1 dq], one row at a time; k [n dk]
  const Var W = in.param("W"), U = in.param("U"), w = in.param("w"), v = in.param("v_beta");
  const Var keys = let("K U", matmul(in.k, U));                    // [n a], once for all rows
  const Var covered = matmul(spent(in), v, true);                  // [n a]
  const Var h = let("H", tanh(keys + covered + matmul(in.q, W)));  // [n a]
  return matmul(w, h, false, true);                                // [1 n]
}

Var state(const ScoreIn& in) { return squeeze(spent(in), -2); }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v_beta = in.parameter("v_beta");
  const Array asks = product(q, in.parameter("W")), keys = product(k, in.parameter("U"));
  Array e({q.rows(), k.rows()}), weights(e.shape), beta({k.rows()});
  beta.data = in.parameter("initial").data;
  for (std::size_t t = 0; t < q.rows(); ++t) {
    const Array covered =
        rows_by(k.rows(), [&](std::size_t j) { return plus(keys.row(j), v_beta.data, beta(j)); });
    e.set(additive_scores(one_row(asks.row(t)), covered, in.parameter("w")).data, t);
    weights.set(softened(e.row(t)), t);
    for (std::size_t j = 0; j < k.rows(); ++j) {
      const double share = activate("sigmoid", inner(k.row(j), in.parameter("u").data));
      beta(j) += weights(t, j) / (in.number("N") * share);
    }
  }
  return {{"scores", e}, {"weights", weights}, {"state", beta}};
}

extern const Mechanism record{
    .id = "coverage-linguistic",
    .aliases = {"coverage"},
    .parameters = {{"W", "dq a"},
                   {"U", "dk a"},
                   {"w", "a"},
                   {"v_beta", "a"},
                   {"u", "dk"},
                   {"initial", "n", Distribution::zero}},
    .knobs = {number_knob("N", 2., 0.5, 8).above(0), size_knob("hidden", "a", "dq", 1, 256)},
    .recurrent = true,
    .laws = {.permutation = false, .content = false},
    // only as far as `initial` is alike
    .behaviour = Score{.build = build, .state = state}};
}  // namespace attend::coverage_linguistic_entry
