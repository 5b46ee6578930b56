// SPDX-License-Identifier: Apache-2.0
// Hedgehog: linear attention whose features are learned to imitate softmax.
//   A_ij proportional to phi(q_i) . phi(k_j),  phi(x) = softmax([2 x W ; -2 x W])
// Zhang et al. 2024, arXiv:2402.04347
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/feature_maps.h"

namespace attend::hedgehog_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const auto features = [W = in.param("W")](Var x) {
    const Var y = 2 * matmul(x, W);  // [.. n f]
    return softmax(concat({y, -y}, -1));
  };
  const Var fq = let("\\varphi(Q)", features(in.q)), fk = let("\\varphi(K)", features(in.k));
  return with_states(in, fk, weighed_by_features(in, fq, fk));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto features = [&](const Row& x) {
    Row y = mapped(x, in.parameter("W"));
    const std::size_t f = y.size();
    for (std::size_t c = 0; c < f; ++c) y.push_back(-2 * y[c]);
    for (std::size_t c = 0; c < f; ++c) y[c] *= 2;
    return softened(y);
  };
  const Array &q = in["query"], &k = in["key"];
  return rows_of_weights(in, [&](std::size_t i) {
    Row row(k.rows());
    double total = 0;
    for (std::size_t j = 0; j < (in.flag("causal") ? std::min(i + 1, k.rows()) : k.rows()); ++j) {
      row[j] = inner(features(q.row(i)), features(k.row(j)));
      total += row[j];
    }
    for (double& x : row) x /= total;
    return row;
  });
}

extern const Mechanism record{.id = "hedgehog",
                              .parameters = {{"W", "p f", Distribution::identity}},
                              .symbols = {{"f", "p"}},
                              .knobs = {flag_knob("causal", true)},
                              .roles = core_roles,
                              .laws = {.permutation = false},
                              .coordinates = core_coordinates,
                              .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::hedgehog_entry
