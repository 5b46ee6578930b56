// SPDX-License-Identifier: Apache-2.0
// cosFormer: linear attention that prefers near keys.
//   A_ij proportional to relu(q_i) . relu(k_j) cos(pi (i - j) / (2 M)), rows divided by max(their sum, 1e-6);
//   two linear attentions, because cos(x - y) = cos x cos y + sin x sin y
// Qin et al. 2022, arXiv:2202.08791
#include <numbers>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/feature_maps.h"

namespace attend::cosformer_entry {
namespace {

// So many pairs are weighed one by one.
constexpr std::size_t most_pairs = 1U << 20U;

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var q = relu(in.q), k = relu(in.k);
  const Var angle = in.scalar("M") * (2 / std::numbers::pi);
  const Var i = in.row_index() / angle, j = reshape(in.key_index(), {in.n(), 1}) / angle;
  const auto enough = [](Var total) { return maximum(total, scalar(total, 1e-6)); };
  if (in.m() * in.n() <= most_pairs) {
    const Var near = cos(i - transpose(j));  // [m n]
    const Var products = matmul(q, k, false, true) * near;
    const Var w = let("w", in.causal ? products * in.past_pairs() : products);
    return weighed_by(w / enough(sum(w, -1, true)), false);
  }
  const Var fq = concat({q * cos(i), q * sin(i)}, -1), fk = concat({k * cos(j), k * sin(j)}, -1);
  const Var total = asked_sums(in, fq, fk, fill(in.graph(), {in.n(), 1}, 1));  // [.. m 1]
  return {[=](Var v) { return asked_sums(in, fq, fk, v) / enough(total); }, {}, "n", false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return rows_of_weights(in, [&](std::size_t i) {
    const Array &q = in["query"], &k = in["key"];
    Row row(k.rows());
    double total = 0;
    for (std::size_t j = 0; j < (in.flag("causal") ? std::min(i + 1, k.rows()) : k.rows()); ++j) {
      for (std::size_t c = 0; c < k.cols(); ++c)
        row[j] += std::max(q(i, c), 0.) * std::max(k(j, c), 0.);
      const double gap = static_cast<double>(i) - static_cast<double>(j);
      row[j] *= std::cos(std::numbers::pi * gap / (2 * in.number("M")));
      total += row[j];
    }
    for (double& x : row) x /= std::max(total, 1e-6);
    return row;
  });
}

extern const Mechanism record{
    .id = "cosformer",
    .knobs = {flag_knob("causal", false), number_knob("M", "longer_of_m_n", 1, 64).above(0)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::cosformer_entry
