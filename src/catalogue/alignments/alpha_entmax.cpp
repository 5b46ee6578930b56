// SPDX-License-Identifier: Apache-2.0
// Alpha-entmax:  a_j = [(alpha - 1) e_j - tau]_+^{1 / (alpha - 1)},  tau so that the row sums to 1;
// learned a head:  alpha = 1 + sigma(gamma)
// Peters, Niculae, Martins 2019, arXiv:1905.05702;
// Correia, Niculae, Martins 2019 (Adaptively Sparse Transformers), section 3, arXiv:1909.00015
#include "catalogue/entry.h"

namespace attend::alpha_entmax_entry {
namespace {

Var build(const AlignmentIn& in) {                    // scores [m n]
  const Var gamma = in.param_if("gamma", "learned");  // [1 1]
  const Var r = gamma ? let("\\alpha - 1", sigmoid(gamma)) : in.scalar("alpha", -1);
  return entmax(in.scores, r, in.mask);  // [m n]
}

// The threshold by bisection, as the formula is written, in long double.
Row project(const Row& e, long double r, const std::function<bool(std::size_t)>& allowed) {
  long double top = -1e300L;
  for (std::size_t j = 0; j < e.size(); ++j)
    top = allowed(j) ? std::max<long double>(top, e[j]) : top;
  const auto weight = [&](std::size_t j, long double tau) {
    const long double base = allowed(j) ? r * (e[j] - top) - tau : 0;
    return base > 0 ? std::pow(base, 1 / r) : 0;
  };
  long double low = -1, high = 0;
  for (int step = 0; step < 300; ++step) {
    const long double middle = (low + high) / 2;
    long double total = 0;
    for (std::size_t j = 0; j < e.size(); ++j) total += weight(j, middle);
    (total > 1 ? low : high) = middle;
  }
  return row_by(e.size(), [&](std::size_t j) { return static_cast<double>(weight(j, low)); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const double alpha = in.parameters.contains("gamma")
                           ? 1 + activate("sigmoid", in.parameter("gamma")())
                           : in.number("alpha");
  return each_row(in, [&](std::size_t i, const Row& e) {
    const auto allowed = [&](std::size_t j) { return in.allowed(i, j); };
    return alpha == 1 ? soft(e, allowed) : project(e, alpha - 1, allowed);
  });
}

extern const Mechanism record{
    .id = "alpha-entmax",
    .aliases = {"entmax"},
    .parameters = {{"gamma", "", Distribution::zero}},
    .knobs = {number_knob("alpha", 1.5, 1, 4).at_least(1), flag_knob("learned", false)},
    .behaviour = Alignment{build}};
}  // namespace attend::alpha_entmax_entry
