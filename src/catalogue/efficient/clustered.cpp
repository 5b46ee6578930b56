// SPDX-License-Identifier: Apache-2.0
// Clustered attention: queries in c clusters share the row of their centroid q^c, the mean of the cluster,
//   A^c = softmax(q^c K^T / sqrt(p)),  A_i = A^{c(i)};
// improved: on the k heaviest keys T of that row its mass is divided again, A_ij = (sum_T A^c) softmax_T(q_i . k_j /
// sqrt(p)) Vyas et al. 2020, arXiv:2007.04825
#include <numeric>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"
#include "ops/listed.h"

namespace attend::clustered_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const std::size_t c = in.integer("clusters");
  const Var of = squeeze(in.param("assignment"), -2);  // [.. m]
  in.output(OutputKind{"clusters", TensorRole::output, NumberKind::index}, of,
            in.family.heads > 0 ? "h m" : "m");
  const Var members = let("S", transpose(one_hot(of, c)));  // [.. c m] of 0 and 1
  const Var count = sum(members, -1, true);                 // [.. c 1]
  const Var centroids = matmul(members, in.q) / maximum(count, scalar(count, 1));  // [.. c p]
  const double root = std::sqrt(static_cast<double>(in.p()));
  const Var shared =
      let("A^{c}", softmax(matmul(let("Q^{c}", centroids), in.k, false, true) / root));  // [.. c n]
  if (!in.flag("improved")) return {[=](Var v) { return rows_at(matmul(shared, v), of); }};
  const std::size_t k = std::min(in.integer("k"), in.n());
  const Var heaviest = slice(argsort(shared), -1, 0, k);   // [.. c k]
  const Var mass = sum(take(shared, heaviest), -1, true);  // [.. c 1]
  const Var light = let("A^{c}_{-}", shared * (1 - put(0 * heaviest + 1, heaviest, in.n())));
  const Var list = rows_at(heaviest, of);  // [.. m k]
  // Each query against the k keys of its cluster alone.
  const Var own = let("a", softmax(listed_products(in.q, in.k, list) / root) * rows_at(mass, of));
  Var weights;  // [.. m n], computed only where it is asked for
  if (in.m() <= max_elements / in.n()) weights = put(own, list, in.n()) + rows_at(light, of);
  return {[=](Var v) { return listed_sums(own, v, list) + rows_at(matmul(light, v), of); },
          weights};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const std::vector<double>& of = in.parameter("assignment").data;
  return rows_of_weights(in, [&](std::size_t i) {
    Row centroid(q.cols(), 0);
    double members = 0;
    for (std::size_t other = 0; other < q.rows(); ++other) {
      if (of[other] != of[i]) continue;
      ++members;
      centroid = plus(centroid, q.row(other));
    }
    Row a = attended(one_row(times(centroid, 1 / members)), k, k).weights.data;
    if (!in.flag("improved")) return a;
    const Row before = a;
    const auto heavy = [&](std::size_t j) {
      std::size_t heavier = 0;
      for (std::size_t l = 0; l < before.size(); ++l)
        heavier += before[l] > before[j] || (before[l] == before[j] && l < j) ? 1 : 0;
      return static_cast<double>(heavier) < in.number("k");
    };
    const double mass = sum_over(a.size(), [&](std::size_t j) { return heavy(j) ? before[j] : 0; });
    const Row own = soft_row(in, i, heavy);
    for (std::size_t j = 0; j < a.size(); ++j) a[j] = heavy(j) ? mass * own[j] : before[j];
    return a;
  });
}

extern const Mechanism record{
    .id = "clustered",
    .aliases = {"clustered-attention"},
    .parameters = {{"assignment", "m", Distribution::permutation, "clusters"}},
    .knobs = {size_knob("clusters", "clusters", "ceil(sqrt(m))", 1, 128),
              flag_knob("improved", false), integer_knob("k", 32., 1, 128).at_least(1)},
    .roles = core_roles,
    .coordinates = core_coordinates,
    .example = R"("clusters": 2, "k": 2)",
    .behaviour = Core{.build = build, .never_causal = "clusters-mean-later-queries"_reason}};
}  // namespace attend::clustered_entry
