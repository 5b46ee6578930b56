// SPDX-License-Identifier: Apache-2.0
// Linear attention:  C_i = phi(q_i) S / (phi(q_i) . z),
//   S = sum_j phi(k_j)^T v_j,  z = sum_j phi(k_j);  causal: sums over j <= i
// Katharopoulos et al. 2020 (Transformers are RNNs), arXiv:2006.16236
#include "catalogue/entry.h"
#include "catalogue/parts/cores/feature_maps.h"

namespace attend::linear_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const std::string& phi = in.text("phi");
  const Var fq = let("\\varphi(Q)", feature_map(phi, in.q)),  // [.. m p]
      fk = let("\\varphi(K)", feature_map(phi, in.k));        // [.. n p]
  Weighing w = weighed_by_features(in, fq, fk, {.map = feature_map_of(phi), .q = in.q, .k = in.k});
  w.probabilities = phi != "1+x";
  return with_states(in, fk, w);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::string& phi = in.text("phi");
  const auto features = [&](Array x) {
    for (double& y : x.data)
      y = phi == "elu+1"  ? (y > 0 ? y + 1 : std::exp(y))
          : phi == "exp"  ? std::exp(y)
          : phi == "relu" ? std::max(y, 0.0)
                          : 1 + y;
    return x;
  };
  Array a = dots(features(in["query"]), features(in["key"]));
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double total = 0;
    for (std::size_t j = 0; j < a.cols(); ++j)
      total += a(i, j) = in.flag("causal") && j > i ? 0 : a(i, j);
    a.set(times(a.row(i), 1 / (total == 0 ? 1 : total)), i);
  }
  return {{"weights", a}, {"context", product(a, in["value"])}};
}

extern const Mechanism record{
    .id = "linear",
    .aliases = {"linear-transformer"},
    .knobs = {choice_knob("phi", "elu+1", {"elu+1", "relu", "exp", "1+x"}),
              flag_knob("causal", false)},
    .roles = core_roles,
    .coordinates = core_coordinates,
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::linear_entry
