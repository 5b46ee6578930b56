// SPDX-License-Identifier: Apache-2.0
// FMMformer: a near and a far field,  C = w_1 softmax_band(Q K^T / sqrt(p)) V + sum_l w_l linear_l(Q, K, V),
//   the band |i - j| <= k, linear attention with phi_l of elu(x) + 1, elu(-x) + 1, tanh(x)
// Nguyen et al. 2021, arXiv:2108.02347
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/parts/cores/feature_maps.h"

namespace attend::fmmformer_entry {
namespace {

constexpr Knob kernels_knob() { return size_knob("kernels", "kernels", 1., 1, 3).at_most(3); }

Var feature(std::size_t l, Var x) {
  if (l == 2) return tanh(x);
  return feature_map("elu+1", l == 0 ? x : -x);
}

Weighing build(const CoreIn& in) {
  const double band = in.number("band");
  const Var gap = absolute(in.row_index() - in.key_index());  // [m n]
  const Var window = in.stated(greater(scalar(gap, band + 0.5), gap), band_intent(band, band));
  const Weighing near = softmax_over(in, window);
  const Var w1 = in.param("w1"), wl = in.param("wl");  // [.. 1 1] [.. 1 kernels]
  if (wl.extent(-1) > 3)
    refuse("it has three feature maps, but wl has weights for " + std::to_string(wl.extent(-1)));
  std::vector<Weighing> far;
  for (std::size_t l = 0; l < wl.extent(-1); ++l)
    far.push_back(weighed_by_features(in, feature(l, in.q), feature(l, in.k)));
  return {[=](Var v) {
            Var c = w1 * near.context(v);
            for (std::size_t l = 0; l < far.size(); ++l)
              c = c + slice(wl, -1, l, l + 1) * far[l].context(v);
            return c;
          },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &wl = in.parameter("wl");
  const std::size_t band = in.integer("band");
  const auto phi = [](std::size_t l, double x) {
    if (l == 2) return std::tanh(x);
    const double y = l == 0 ? x : -x;
    return y > 0 ? y + 1 : std::exp(y);
  };
  return rows_of_weights(in, [&](std::size_t i) {
    const auto past = [&](std::size_t j) { return j <= i || !in.flag("causal"); };
    Row a =
        soft_row(in, i, [&](std::size_t j) { return (i > j ? i - j : j - i) <= band && past(j); });
    for (double& one : a) one *= in.parameter("w1")();
    for (std::size_t l = 0; l < wl.data.size(); ++l) {
      Row far(k.rows(), 0);
      double total = 0;
      for (std::size_t j = 0; j < far.size(); ++j) {
        for (std::size_t c = 0; c < k.cols() && past(j); ++c)
          far[j] += phi(l, q(i, c)) * phi(l, k(j, c));
        total += far[j];
      }
      for (std::size_t j = 0; j < far.size(); ++j) a[j] += wl.data[l] * far[j] / total;
    }
    return a;
  });
}

extern const Mechanism record{
    .id = "fmmformer",
    .parameters = {{"w1", "", Distribution::one}, {"wl", "kernels", Distribution::one}},
    .knobs = {integer_knob("band", 5., 0, 64).at_least(0), kernels_knob(),
              flag_knob("causal", false)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .example = R"("band": 1, "kernels": 2)",
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::fmmformer_entry
