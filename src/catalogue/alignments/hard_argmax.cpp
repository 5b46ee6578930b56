// SPDX-License-Identifier: Apache-2.0
// Hard attention by the best score:  a_i = onehot(argmax_j e_ij), the lowest index on ties
// Davari 2020, "Variations of Attention Mechanism"; Wikipedia, "Attention (machine learning)"
#include "catalogue/entry.h"

namespace attend::hard_argmax_entry {
namespace {

constexpr double lowest = -3e38;

Var build(const AlignmentIn& in) {                                                 // scores [m n]
  const Var best = let("j^{*}", argmax(exclude(in.scores, in.mask, lowest), -1));  // [m]
  Var chosen = one_hot(best, in.scores.extent(-1));                                // [m n]
  if (in.text("estimator") == "straight-through") {
    const Var p = softmax(in.scores, in.mask);
    chosen = chosen + (p - detach(p));  // the softmax's gradient in place of 0
  }
  return in.mask ? chosen * in.mask : chosen;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    Row weights(e.size(), 0);
    std::size_t best = e.size();
    for (std::size_t j = e.size(); j-- > 0;) {
      if (in.allowed(i, j) && (best == e.size() || e[j] >= e[best])) best = j;
    }
    if (best < e.size()) weights[best] = 1;
    return weights;
  });
}

extern const Mechanism record{.id = "hard-argmax",
                              .aliases = {"argmax"},
                              .knobs = {estimator_knob({"none", "straight-through"})},
                              .coordinate = "hard",
                              .differentiable = false,
                              .behaviour = Alignment{build}};
}  // namespace attend::hard_argmax_entry
