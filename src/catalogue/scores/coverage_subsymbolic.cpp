// SPDX-License-Identifier: Apache-2.0
// Coverage, subsymbolic: a small recurrent network for each key,
//   kappa_tj = tanh(kappa_{t-1,j} W_kappa + a_tj w_a + k_j W_h + q_t W_s),
//   e_tj = tanh(q_t W + k_j U + kappa_{t-1,j} V_kappa) . w
// Tu et al. 2016 (neural network based coverage), section 3.1, arXiv:1601.04811;
// Mi et al. 2016 (Coverage Embedding Models), arXiv:1605.03148
#include "catalogue/entry.h"

namespace attend::coverage_subsymbolic_entry {
namespace {

// kappa_{t-1} [n x]: before the first row as given, then from what the row before left, which is 0
// before the first.
Var coverage(const ScoreIn& in) {
  Shape shape = in.q.shape();
  shape.end()[-2] = in.k.extent(-2);
  shape.back() = in.param("w_a").extent(-1);
  const Var initial = broadcast_to(in.param("initial"), shape), nothing = zeros(in.graph(), shape);
  const Past past = in.past();
  const Var started = past.state("f", zeros(in.graph(), {1, 1}));  // 0 in the first row, then 1
  past.keep("f", ones(in.graph(), {1, 1}));
  const Var before = past.weights(in.weights_like(zeros(in.graph(), {1, in.k.extent(-2)})));
  const Var carried = past.state("g", nothing) + matmul(before, in.param("w_a"), true);
  return let("\\kappa", where(started, tanh(carried), initial));
}

Var build(const ScoreIn& in) {  // q [1 dq], one row at a time; k [n dk]
  const Var W = in.param("W"), U = in.param("U"), V = in.param("V_kappa"), w = in.param("w");
  const Var W_kappa = in.param("W_kappa"), W_h = in.param("W_h"), W_s = in.param("W_s");
  const Var keys = let("K U", matmul(in.k, U));          // [n a], once for all rows
  const Var tokens = let("K W_{h}", matmul(in.k, W_h));  // [n x], likewise
  const Var kappa = coverage(in);                        // [n x]
  in.past().keep("g", matmul(kappa, W_kappa) + tokens + matmul(in.q, W_s));
  const Var h = let("H", tanh(keys + matmul(kappa, V) + matmul(in.q, W)));  // [n a]
  return matmul(w, h, false, true);                                         // [1 n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const auto by = [&](const Array& x, const char* W) { return product(x, in.parameter(W)); };
  Array e({q.rows(), k.rows()}), weights(e.shape), kappa = in.parameter("initial");
  for (std::size_t t = 0; t < q.rows(); ++t) {
    const Array asks = one_row(q.row(t)), keys = plus(by(k, "U"), by(kappa, "V_kappa"));
    e.set(additive_scores(by(asks, "W"), keys, in.parameter("w")).data, t);
    weights.set(softened(e.row(t)), t);
    const Array seen = product(transposed(one_row(weights.row(t))), in.parameter("w_a"));
    const Array sum = plus(plus(by(kappa, "W_kappa"), seen), by(k, "W_h"));
    kappa = activated(plus(sum, by(asks, "W_s")), "tanh");
  }
  return {{"scores", e}, {"weights", weights}, {"state", kappa}};
}

extern const Mechanism record{
    .id = "coverage-subsymbolic",
    .aliases = {"coverage-neural"},
    .parameters = {{"W", "dq a"},
                   {"U", "dk a"},
                   {"w", "a"},
                   {"V_kappa", "dim a"},
                   {"W_kappa", "dim dim"},
                   {"w_a", "dim"},
                   {"W_h", "dk dim"},
                   {"W_s", "dq dim"},
                   {"initial", "n dim", Distribution::zero}},
    .knobs = {size_knob("dim", "dim", 10., 1, 64), size_knob("hidden", "a", "dq", 1, 256)},
    .recurrent = true,
    .laws = {.permutation = false, .content = false},
    // only as far as `initial` is alike
    .behaviour = Score{.build = build, .state = coverage}};
}  // namespace attend::coverage_subsymbolic_entry
