// SPDX-License-Identifier: Apache-2.0
// Random feature attention: q and k of length 1,  phi(x) = [sin(x w); cos(x w)] / sqrt(M),
//   C_i = phi(q_i) S_i / (phi(q_i) . z_i),  S_i, z_i the sums of linear attention; with a gate
//   S_t = g_t S_{t-1} + (1 - g_t) phi(k_t)^T v_t,  z_t = g_t z_{t-1} + (1 - g_t) phi(k_t)
// Peng et al. 2021, arXiv:2103.02143
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "ops/scan.h"

namespace attend::rfa_entry {
namespace {

constexpr double smallest = 1e-6;

Var features(Var x, Var w) {
  const Var at = matmul(unit_rows(x), w, false, true);  // [.. n M]
  return concat({sin(at), cos(at)}, -1) / std::sqrt(static_cast<double>(w.extent(-2)));
}

// A denominator near 0 keeps its sign and the least size.
Var kept_from_zero(Var x) {
  const Var small = greater(scalar(x, smallest), absolute(x));
  const Var side = where(greater(scalar(x, 0), x), scalar(x, -smallest), scalar(x, smallest));
  return where(small, side, x);
}

// fq_t . S_t, S_t = g_t S_{t-1} + (1 - g_t) fk_t^T x_t: g [.. n 1]  x [.. n c] -> [.. n c]
Var gated_sums(Var fq, Var fk, Var g, Var x) {
  Shape shape = fk.shape();
  shape.end()[-2] = fk.extent(-1);
  shape.back() = x.extent(-1);
  ScanRecorder steps(x.graph(), x.extent(-2));
  const Var S = steps.state({"S_{t-1}", zeros(x.graph(), shape)});
  const Var q = steps.row({"\\varphi(q_t)", by_step(fq)}),
            k = steps.row({"\\varphi(k_t)", by_step(fk)});
  const Var gate = steps.row({"g_t", by_step(g)}), row = steps.row({"x_t", by_step(x)});
  const Var after = let("S_t", gate * S + (1 - gate) * matmul(k, row, true, false));
  steps.next(S, after);
  steps.output(matmul(q, after));
  return by_row(steps.finish().outputs[0]);
}

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var w = in.param("omega");  // [.. M p]
  const Var fq = let("\\varphi(Q)", features(in.q, w)), fk = let("\\varphi(K)", features(in.k, w));
  const MadeOf made{FeatureMap::fourier, in.q, in.k, w};
  const Var one_each = slice(fk, -1, 0, 1) * 0 + 1;  // [.. n 1]
  if (!in.flag("gate")) {
    const Var total = let("z", kept_from_zero(asked_sums(in, fq, fk, one_each)));  // [.. m 1]
    return {[=](Var v) {
              return stated_features(in, asked_sums(in, fq, fk, v) / total,
                                     {.causal = in.causal, .divides = true}, made, v);
            },
            {},
            "n",
            false};
  }
  in.need_same_length("A gate forgets from one token to the next");
  const Var g = transpose(in.param("g"));  // [.. n 1]
  const Var total = let("z", kept_from_zero(gated_sums(fq, fk, g, one_each)));
  return {[=](Var v) {
            return stated_features(in, gated_sums(fq, fk, g, v) / total,
                                   {.causal = true, .divides = true, .gated = true}, made, v, g);
          },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &w = in.parameter("omega");
  const auto product = [&](std::size_t i, std::size_t j) {  // phi(q_i) . phi(k_j) as cosines
    const Row a = q.row(i), b = k.row(j);
    return sum_over(w.rows(),
                    [&](std::size_t r) {
                      return std::cos(inner(a, w.row(r)) / std::sqrt(inner(a, a)) -
                                      inner(b, w.row(r)) / std::sqrt(inner(b, b)));
                    }) /
           static_cast<double>(w.rows());
  };
  const bool gate = in.flag("gate"), causal = gate || in.flag("causal");
  return rows_of_weights(in, [&](std::size_t i) {
    Row a(k.rows(), 0);
    double total = 0;
    for (std::size_t j = 0; j < a.size() && (j <= i || !causal); ++j) {
      a[j] = product(i, j) * (gate ? 1 - in.parameter("g").data[j] : 1);
      for (std::size_t t = j + 1; t <= i && gate; ++t) a[j] *= in.parameter("g").data[t];
      total += a[j];
    }
    if (std::abs(total) < smallest) total = total < 0 ? -smallest : smallest;
    for (double& one : a) one /= total;
    return a;
  });
}

extern const Mechanism record{
    .id = "rfa",
    .aliases = {"random-feature-attention"},
    .parameters = {{"omega", "M p", Distribution::normal}, {"g", "n", Distribution::half}},
    .knobs = {size_knob("features", "M", 64., 4, 1024).log_scale(), flag_knob("gate", false),
              flag_knob("causal", false)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false},
    .coordinates = core_coordinates,
    .example = R"("features": 32)",
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::rfa_entry
