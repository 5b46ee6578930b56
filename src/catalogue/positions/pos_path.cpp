// SPDX-License-Identifier: Apache-2.0
// PaTH: every token between key and query changes what the query sees of the key,
//   e_ij = s q_i H_i H_{i-1} .. H_{j+1} k_j,  H_t = I - beta_t w_t^T w_t, for j <= i; plain products for keys ahead.
// Given, or from the token:  w = l2(x W_w), beta = 2 sigma(x w_beta + b_beta)
// Yang et al. 2025, arXiv:2505.16381
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/heads/head_tables.h"
#include "catalogue/reason.h"
#include "ops/decays.h"

namespace attend::pos_path_entry {
namespace {

constexpr double eps = 1e-6;

// w [.. n p] and beta [.. n 1].
std::pair<Var, Var> directions(const PositionIn& in) {
  if (in.text("gates") == "given")
    return {of_each_head(in, "w", "n p"), transpose(of_each_head(in, "beta", "n"))};
  const Var x = in.whole.k;                                    // [n dx]
  const Var raw = matmul(x, of_each_head(in, "W_w", "dx p"));  // [.. n p]
  const Var w = raw / sqrt(sum(raw * raw, -1, true) + eps);
  const Var strength = matmul(x, of_each_head(in, "w_beta", "dx"), false, true);  // [.. n 1]
  return {w, 2 * sigmoid(strength + of_each_head(in, "b_beta", ""))};
}

// Row t of C is what H_t takes off the keys before it, in units of w_t: C = (I + B low(w w^T))^{-1} B low(w k^T), B the
// diagonal of beta and low() the part t > j. A query loses the rows up to its own, each as far as it looks along w_t.
Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const Var q = in.inputs.q, k = in.inputs.k;  // [.. m p] [.. n p]
  const auto [w, beta] = directions(in);
  const std::size_t n = k.extent(-2);
  const Var t = iota(in.graph(), n, 2), j = iota(in.graph(), n);
  const Var low = greater(t, j);                               // [n n]
  const Var mixed = beta * matmul(w, w, false, true) * low;    // [.. n n]
  const Var written = beta * matmul(w, k, false, true) * low;  // [.. n n]
  const Var C = let("C", solve_triangle(mixed, written));
  const Var past = greater(in.row_index() + 1, in.key_index());  // [m n]
  const Var seen = matmul(q, w, false, true) * past;             // [.. m n]
  return scores - in.score_scale * let("Q W^{\\top} C", matmul(seen, C));
}

}  // namespace

// Reflection by reflection.
Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  std::vector<Row> w;
  Row beta;
  for (std::size_t t = 0; t < k.rows(); ++t) {
    if (in.text("gates") == "given") {
      w.push_back(in.parameter("w").row(t));
      beta.push_back(in.parameter("beta")(t));
      continue;
    }
    const Row x = in["inputs.key"].row(t);
    w.push_back(mapped(x, in.parameter("W_w")));
    const double length = std::sqrt(inner(w.back(), w.back()) + eps);
    for (double& one : w.back()) one /= length;
    beta.push_back(
        2 * activate("sigmoid", inner(x, in.parameter("w_beta").data) + in.parameter("b_beta")()));
  }
  return {{"scores", table_by(q.rows(), k.rows(), [&](std::size_t i, std::size_t j) {
             Row key = k.row(j);
             for (std::size_t t = j + 1; t <= i && t < w.size(); ++t) {
               const double along = beta[t] * inner(w[t], key);
               for (std::size_t c = 0; c < key.size(); ++c) key[c] -= along * w[t][c];
             }
             return inner(q.row(i), key) / std::sqrt(static_cast<double>(k.cols()));
           })}};
}

extern const Mechanism record{
    .id = "pos-path",
    .parameters = {{"w", "n p | h n p"},
                   {"beta", "n | h n", Distribution::one},
                   {"W_w", "dx p | h dx p"},
                   {"w_beta", "dx | h dx"},
                   {"b_beta", " | h", Distribution::zero}},
    .knobs = {gates_knob},
    .excludes = {{"score", {"dot", "scaled-dot"}, true, "path-replaces-product"_reason},
                 {"dimensionality", {"multi-dim"}, false, "features-have-no-product"_reason}},
    .needs_query = true,
    .laws = {.permutation = false},
    .behaviour = Position{.score = score}};
}  // namespace attend::pos_path_entry
