// SPDX-License-Identifier: Apache-2.0
// SOFT: the kernel S = exp(-|q_i - q_j|^2 / (2 sqrt(p))) of the queries alone, from landmarks Q~ among them:
//   S^ = k(Q, Q~) P^+ k(Q~, Q),  P = k(Q~, Q~);  the inverse by V <- 2 V - V P V, V_0 = 2 P / |P|_1^2 (half of
//   it where there is but one landmark, from where it would go to 0);
//   normalised: D^{-1/2} P^+ D^{-1/2} in its place, D the row sums of P
// Lu et al. 2021, arXiv:2110.11945; normalised: Lu et al. 2022, arXiv:2207.03341
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"

namespace attend::soft_entry {
namespace {

// Two landmarks of equal sums, 1 + c: along (1, 1) the paper's start lies on the limit of convergence, and its first
// step goes to 0 and stays. There rounding would double with every step, so that the two directions are iterated apart.
Var of_two(const CoreIn& in, Var P, std::size_t iterations) {
  const Var c = slice(slice(P, -2, 0, 1), -1, 1, 2);  // [.. 1 1]
  const Var both = 1 + c, gap = 1 - c;
  Var v = 2 * gap / (both * both);
  for (std::size_t i = 0; i < iterations; ++i) v = 2 * v - v * (gap * v);
  const Var one = scalar(c, 1), along = where(greater(one, c), scalar(c, 0), 1 / both);  // one row
  const Var half = scalar(P, .5);
  in.caution(
      "with two landmarks, both rows of the matrix have the same sum, so the iteration never "
      "reaches the inverse; set iterations to 0 to compute the inverse",
      v, greater(one, c));
  return v * (identity(P.graph(), 2) - half) + along * half;
}

Var iterated(const CoreIn& in, Var P, std::size_t iterations) {
  if (P.extent(-1) == 2) return of_two(in, P, iterations);
  const Var size = max(sum(absolute(P), -2, true), -1, true);  // |P|_1, [.. 1 1]
  const Var least = -max(max(-P, -2, true), -1, true);         // 1 where all landmarks are one
  const Var one = scalar(least, 1);
  Var V = where(greater(one, least), 2 * one, one) * P / (size * size);
  for (std::size_t i = 0; i < iterations; ++i) V = 2 * V - matmul(V, matmul(P, V));
  return V;
}

Weighing build(const CoreIn& in) {
  const double scale = 1 / std::sqrt(static_cast<double>(in.p()));
  const Var given = in.param("landmarks");                             // [.. 1 s]
  const Var L = let("\\tilde{Q}", rows_at(in.q, squeeze(given, -2)));  // [.. s p]
  // 1 where a token is a landmark.
  in.output(OutputKind{"chosen", TensorRole::output, NumberKind::index},
            sum(one_hot(squeeze(given, -2), in.m()), -2), in.family.heads > 0 ? "h m" : "m");
  const Var P = let("P", gaussian_kernel(L, L, scale));  // [.. s s]
  const Var left = let("\\kappa(Q, \\tilde{Q})", gaussian_kernel(in.q, L, scale));
  // Which of them gathers a token: that which it is most like.
  in.output(OutputKind{"landmark", TensorRole::output, NumberKind::index}, argmax(left, -1),
            in.family.heads > 0 ? "h m" : "m");
  const std::size_t iterations = in.integer("iterations"), s = L.extent(-2);
  if (iterations == 0 && s > in.m()) {
    refuse(in.choice.path + "/count", "equal landmarks have no inverse, and " + std::to_string(s) +
                                          " landmarks from " + std::to_string(in.m()) +
                                          " tokens cannot all differ; use at most " +
                                          std::to_string(in.m()) + ", or iterations above 0");
  }
  Var middle = iterations == 0 ? inverse(P) : iterated(in, P, iterations);
  if (in.flag("normalised")) {
    const Var root = sqrt(sum(P, -1, true));  // [.. s 1]
    middle = middle / root / transpose(root);
  }
  const Var wide = let("P^{+}", middle);
  return {[=](Var v) { return matmul(left, matmul(wide, matmul(left, v, true, false))); },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  const std::vector<double>& landmarks = in.parameter("landmarks").data;
  const std::size_t s = landmarks.size();
  const auto kernel = [&](std::size_t i, std::size_t j) {
    const double gap =
        sum_over(q.cols(), [&](std::size_t c) { return std::pow(q(i, c) - q(j, c), 2); });
    return std::exp(-gap / (2 * std::sqrt(static_cast<double>(q.cols()))));
  };
  const auto token = [&](std::size_t l) { return static_cast<std::size_t>(landmarks[l]); };
  Array P({s, s}), V({s, s});
  double size = 0;
  Row D(s, 0);
  double least = 1;
  for (std::size_t l = 0; l < s; ++l) {
    for (std::size_t u = 0; u < s; ++u) {
      D[l] += P(l, u) = kernel(token(l), token(u));
      least = std::min(least, P(l, u));
    }
    size = std::max(size, D[l]);  // P is symmetric and positive: its row sums are its column sums
  }
  for (std::size_t i = 0; i < P.data.size(); ++i)
    V.data[i] = (in.number("iterations") == 0 || least == 1 ? 1 : 2) * P.data[i] / (size * size);
  const std::size_t given = in.integer("iterations");
  // Of two landmarks every step but the first would double what rounding leaves along (1, 1).
  const bool two = s == 2 && given > 0 && least < 1;
  // Without a number of them: as many as bring it to the inverse.
  for (std::size_t t = 0; t < (given == 0 ? 200 : given); ++t) {
    const Array VPV = product(product(V, P), V);
    for (std::size_t i = 0; i < V.data.size(); ++i) V.data[i] = 2 * V.data[i] - VPV.data[i];
    const double along = two ? (V.data[0] + V.data[1]) / 2 : 0;
    for (double& one : V.data) one -= along;
  }
  return rows_of_weights(in, [&](std::size_t i) {
    Row a(q.rows(), 0);
    for (std::size_t j = 0; j < a.size(); ++j) {
      for (std::size_t l = 0; l < s; ++l) {
        for (std::size_t u = 0; u < s; ++u) {
          const double scale = in.flag("normalised") ? std::sqrt(D[l] * D[u]) : 1;
          a[j] += kernel(i, token(l)) * V(l, u) / scale * kernel(token(u), j);
        }
      }
    }
    return a;
  });
}

extern const Mechanism record{
    .id = "soft",
    .parameters = {{"landmarks", "s", Distribution::permutation, "m"}},
    .knobs = {size_knob("count", "s", "ceil(sqrt(m+4))", 1, 128),
              integer_knob("iterations", 20., 0, 60).at_least(0), flag_knob("normalised", false)},
    .roles = {{"query", "m p"}, {"value", "m dv", false, "query"}},
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .around = R"({"inputs": {"key": null}})",
    .extents = {{"m", 5}},
    .behaviour =
        Core{.build = build, .never_causal = "landmarks-of-all"_reason, .shares_keys = true}};
}  // namespace attend::soft_entry
