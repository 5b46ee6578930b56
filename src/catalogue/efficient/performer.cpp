// SPDX-License-Identifier: Apache-2.0
// Performer: linear attention of positive random features of x = q / p^{1/4}, k / p^{1/4},
//   phi(x)_r = exp(x . w_r - |x|^2 / 2) / sqrt(M), so that E[phi(x) . phi(y)] = exp(x . y);
//   relu kernel: phi(x)_r = relu(x . w_r) / sqrt(M) + 1e-3
// Choromanski et al. 2021 (FAVOR+), arXiv:2009.14794
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/feature_maps.h"

namespace attend::performer_entry {
namespace {

constexpr double most_exponent = 80;  // e to this is still a float

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const Var w = in.param("omega");  // [.. M p]
  const double side = std::pow(static_cast<double>(in.p()), .25);
  const double root = std::sqrt(static_cast<double>(w.extent(-2)));
  const Var q = in.q / side, k = in.k / side;
  const Var at_q = matmul(q, w, false, true),
            at_k = matmul(k, w, false, true);  // [.. m M] [.. n M]
  const auto made = [&](FeatureMap map) { return MadeOf{map, in.q, in.k, w}; };
  if (in.text("kernel") == "relu") {
    return weighed_by_features(in, let("\\varphi(Q)", relu(at_q) / root + 1e-3),
                               let("\\varphi(K)", relu(at_k) / root + 1e-3),
                               made(FeatureMap::rectified));
  }
  // A factor of a query's features, or of all keys', cancels. Those of the keys are at most
  // e^{|w|^2/2}, whatever the keys are.
  const Var e_q = at_q, e_k = at_k - 0.5 * sum(k * k, -1, true);
  const Var bound = max(0.5 * sum(w * w, -1, true), -2, true);  // [.. 1 1]
  const Var excess = in.causal ? relu(bound - most_exponent) : max(max(e_k, -1, true), -2, true);
  return weighed_by_features(in, let("\\varphi(Q)", exp(e_q - cancelled(max(e_q, -1, true)))),
                             let("\\varphi(K)", exp(e_k - cancelled(excess))),
                             made(FeatureMap::positive));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &w = in.parameter("omega");
  const double side = std::pow(static_cast<double>(q.cols()), .25);
  const auto features = [&](Row x) {
    for (double& one : x) one /= side;
    Row phi;
    for (std::size_t r = 0; r < w.rows(); ++r) {
      const double at = inner(x, w.row(r));
      const double root = std::sqrt(static_cast<double>(w.rows()));
      phi.push_back(in.text("kernel") == "relu" ? std::max(at, 0.0) / root + 1e-3
                                                : std::exp(at - inner(x, x) / 2) / root);
    }
    return phi;
  };
  return rows_of_weights(in, [&](std::size_t i) {
    Row a(k.rows(), 0);
    double total = 0;
    for (std::size_t j = 0; j < a.size() && (j <= i || !in.flag("causal")); ++j)
      total += a[j] = inner(features(q.row(i)), features(k.row(j)));
    for (double& one : a) one /= total;
    return a;
  });
}

extern const Mechanism record{
    .id = "performer",
    .aliases = {"favor+"},
    .parameters = {{"omega", "M p", Distribution::normal}},
    .knobs = {size_knob("features", "M", 64., 4, 1024).log_scale(),
              choice_knob("kernel", "exp", {"exp", "relu"}), flag_knob("causal", false)},
    .roles = core_roles,
    .coordinates = core_coordinates,
    .example = R"("features": 16)",
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::performer_entry
