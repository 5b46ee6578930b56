// SPDX-License-Identifier: Apache-2.0
// Multi-dimensional attention:  e_ij = act(q_i W1 + k_j W2 + b) W_d,
// a vector with a score for every feature of the value
// Shen et al. 2018 (DiSAN), arXiv:1709.04696;
// Brauwers & Frasincar 2022, equations 30 to 32
#include "catalogue/entry.h"
#include "catalogue/reason.h"

namespace attend::multi_dim_entry {
namespace {

Var scores(const DimensionalityIn& in) {  // q [m dq]  k [n dk]
  if (!in.inputs.q) refuse("it compares keys with a query, but this module has none");
  const auto [W1, W2, b, W_d] = in.params<4>();         // [dq a] [dk a] [1 a] [a dv]
  const Var q = let("Q W_1", matmul(in.inputs.q, W1));  // [m a]
  const Var k = let("K W_2", matmul(in.inputs.k, W2));  // [n a]
  const Var h = let("H", in.activate(pair_rows(q) + pair_columns(k + b)));  // [m n a]
  const Var e = times(h, W_d);                                              // [.. m n dv]
  std::vector<long> features_first{static_cast<long>(e.rank()) - 1};
  for (long axis = 0; axis + 1 < static_cast<long>(e.rank()); ++axis)
    features_first.push_back(axis);
  return permute(e, features_first);  // [dv .. m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"], &W_d = in.parameter("W_d");
  Array e({q.rows(), k.rows(), v.cols()}), a(e.shape), c({q.rows(), v.cols()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t f = 0; f < v.cols(); ++f) {
      Row line(k.rows(), 0);
      for (std::size_t j = 0; j < k.rows(); ++j) {
        const Row x = mapped(q.row(i), in.parameter("W1")),
                  y = mapped(k.row(j), in.parameter("W2"));
        for (std::size_t s = 0; s < x.size(); ++s) {
          line[j] += activate(in.text("act"), x[s] + y[s] + in.parameter("b")(s)) * W_d(s, f);
        }
        e(i, j, f) = line[j];
      }
      const Row weights = soft(line, [&](std::size_t j) { return in.allowed(i, j); });
      for (std::size_t j = 0; j < k.rows(); ++j) {
        a(i, j, f) = weights[j];
        c(i, f) += weights[j] * v(j, f);
      }
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", c}};
}

extern const Mechanism record{
    .id = "multi-dim",
    .aliases = {"multi", "feature-wise"},
    .parameters = {{"W1", "dq a"}, {"W2", "dk a"}, {"b", "a", Distribution::zero}, {"W_d", "a dv"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "dq", 1, 256)},
    .excludes = {{"score", {}, true, "features-have-own-score"_reason}},
    .needs_query = true,
    .coordinate = "multi-dimensional",
    .behaviour = Dimensionality{scores}};
}  // namespace attend::multi_dim_entry
