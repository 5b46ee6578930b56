// SPDX-License-Identifier: Apache-2.0
// Scalable softmax:  a_i = softmax(s ln(n_i) e_i), n_i the number of keys that row i may attend to
// Nakanishi 2025, arXiv:2501.19399
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/sinks.h"

namespace attend::scalable_softmax_entry {
namespace {

Var build(const AlignmentIn& in) {                                                 // scores [m n]
  const Var sharpness = let("s \\ln n_i", in.param("s") * log(allowed_keys(in)));  // [m 1]
  return softmax(sharpness * below_best(in), in.mask);                             // [m n]
}

}  // namespace

// Powers of the number of keys: n_i^{s e_ij}.
Arrays reference(const ReferenceIn& in) {
  const double s = in.parameter("s")();
  return each_row(in, [&](std::size_t i, Row e) {
    const double count =
        sum_over(e.size(), [&](std::size_t j) { return in.allowed(i, j) ? 1 : 0; });
    Row powers(e.size(), 0);
    for (double& score : e) score *= s;
    double best = -1e300, total = 0;
    for (std::size_t j = 0; j < e.size(); ++j)
      if (in.allowed(i, j)) best = std::max(best, e[j]);
    for (std::size_t j = 0; j < e.size(); ++j)
      if (in.allowed(i, j)) total += powers[j] = std::pow(count, e[j] - best);
    for (double& weight : powers) weight /= total > 0 ? total : 1;
    return powers;
  });
}

extern const Mechanism record{.id = "scalable-softmax",
                              .aliases = {"ssmax"},
                              .parameters = {{.name = "s",
                                              .shape = "",
                                              .distribution = Distribution::stated,
                                              .start = "0.43"}},
                              .behaviour = Alignment{build}};
}  // namespace attend::scalable_softmax_entry
