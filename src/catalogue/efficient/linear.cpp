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
  const Array &q = in["query"], &k = in["key"];
  const std::string& phi = in.text("phi");
  const auto feature = [&](double x) {
    if (phi == "elu+1") return x > 0 ? x + 1 : std::exp(x);
    if (phi == "exp") return std::exp(x);
    return phi == "relu" ? std::max(x, 0.0) : 1 + x;
  };
  Array a({q.rows(), k.rows()});
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double total = 0;
    for (std::size_t j = 0; j < (in.flag("causal") ? std::min(i + 1, a.cols()) : a.cols()); ++j) {
      for (std::size_t c = 0; c < q.cols(); ++c) a(i, j) += feature(q(i, c)) * feature(k(j, c));
      total += a(i, j);
    }
    for (std::size_t j = 0; j < a.cols(); ++j) a(i, j) /= total == 0 ? 1 : total;
  }
  return {{"weights", a}, {"context", weighted(a, in["value"])}};
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
