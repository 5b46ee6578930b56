// SPDX-License-Identifier: Apache-2.0
// Adaptively sparse heads: every head learns how sparse it is,
//   head_t = entmax_{alpha_t}(Q W_Q (K W_K)^T / sqrt(p)) V W_V,  alpha_t = 1 + sigmoid(gamma_t)
// Correia, Niculae, Martins 2019, arXiv:1909.00015
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::sparse_adaptive_entmax_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);                 // [m dq] [n dk] [n dv]
  const Var q = let("Q", matmul(rows.q, in.param("W_Q")));  // [h m p]
  const Var k = let("K", matmul(rows.k, in.param("W_K")));  // [h n p]
  const Var v = let("V", matmul(rows.v, in.param("W_V")));  // [h n pv]
  const std::size_t h = q.extent(0), m = q.extent(1), n = k.extent(1);
  const Var gamma = in.param("gamma");                                   // [1 h]
  const Var r = let("\\alpha - 1", reshape(sigmoid(gamma), {h, 1, 1}));  // [h 1 1]
  const Var e = let("E", matmul(q, k, false, true) / std::sqrt(static_cast<double>(q.extent(-1))));
  const Var mask = in.flag("causal") ? keys_so_far(in.graph(), m, n) : Var{};
  const Var a = let("A", entmax(e, broadcast_to(r, {h, m, 1}), mask));  // [h m n]
  const Var heads = let("C_h", matmul(a, v));                           // [h m pv]
  return {{out::scores, e, "h m n"},
          {out::weights, a, "h m n"},
          {out::heads, heads, "h m pv"},
          {"alpha", reshape(r + 1, {h}), "h"},
          {out::result, let("C", matmul(join_heads(heads), in.param("W_O"))), "m dc"}};
}

// Entmax by bisection on the threshold: p_j = max(0, (alpha-1) e_j - tau)^(1/(alpha-1)).
Row entmax_by_loops(const Row& e, double alpha, const std::function<bool(std::size_t)>& allowed) {
  double top = -1e300;
  for (std::size_t j = 0; j < e.size(); ++j)
    if (allowed(j)) top = std::max(top, (alpha - 1) * e[j]);
  const auto at = [&](double tau, std::size_t j) {
    const double gap = (alpha - 1) * e[j] - tau;
    return allowed(j) && gap > 0 ? std::pow(gap, 1 / (alpha - 1)) : 0;
  };
  double low = top - 1, high = top;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    const double total = sum_over(e.size(), [&](std::size_t j) { return at(middle, j); });
    (total > 1 ? low : high) = middle;
  }
  return row_by(e.size(), [&](std::size_t j) { return at(low, j); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"], &gamma = in.parameter("gamma");
  const std::size_t h = gamma.cols(), m = q.rows(), n = k.rows();
  Array weights({h, m, n}), joined({m, 0});
  for (std::size_t t = 0; t < h; ++t) {
    const auto map = [&](const Array& x, const char* W) {
      return product(x, part_of(in.parameter(W), t));
    };
    const Array own = map(q, "W_Q"), other = map(k, "W_K");
    Array a({m, n});
    for (std::size_t i = 0; i < m; ++i) {
      const Row e = row_by(n, [&](std::size_t j) {
        return inner(own.row(i), other.row(j)) / std::sqrt(static_cast<double>(own.cols()));
      });
      const double alpha = 1 + activate("sigmoid", gamma(t));
      const Row row =
          entmax_by_loops(e, alpha, [&](std::size_t j) { return !in.flag("causal") || j <= i; });
      for (std::size_t j = 0; j < n; ++j) weights(t, i, j) = a(i, j) = row[j];
    }
    joined = beside({joined, product(a, map(v, "W_V"))});
  }
  const Array context = product(joined, in.parameter("W_O"));
  return {{"weights", weights}, {"context", context}};
}

extern const Mechanism record{
    .id = "sparse-adaptive-entmax",
    .aliases = {"adaptively-sparse-transformer"},
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "h dk p"},
                   {"W_V", "h dv pv"},
                   {"W_O", "h*pv dc"},
                   {"gamma", "h", Distribution::unit}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("causal", false)},
    .roles = {{"query", "m dq"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"multiplicity", "multi-head"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::sparse_adaptive_entmax_entry
