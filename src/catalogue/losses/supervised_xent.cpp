// SPDX-License-Identifier: Apache-2.0
// Supervised attention by cross-entropy:  L = -lambda sum_ij a*_ij ln a_ij, a* the weights that are wanted.
#include "catalogue/entry.h"
#include "catalogue/parts/structures/gold_loss.h"

namespace attend::supervised_xent_entry {

Arrays reference(const ReferenceIn& in) {
  const Array &a = in["weights"], &gold = in["gold"];
  double loss = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j)
      if (gold(i, j) > 0) loss -= gold(i, j) * std::log(std::max(a(i, j), 1e-30));
  }
  return {{"loss", Array(Shape{}, in.number("lambda") * loss)}};
}

extern const Mechanism record{.id = "supervised-xent",
                              .knobs = supervised_knobs,
                              .roles = supervised_roles,
                              .around = R"({"inputs": {
                 "weights": {"data": [0.3, 0.2, 0.1, 0.3, 0.1,  0.6, 0.1, 0.1, 0.1, 0.1,
                                      0.2, 0.2, 0.2, 0.2, 0.2,  0.05, 0.05, 0.1, 0.7, 0.1]},
                 "gold": {"data": [1, 0, 0, 0, 0,  0.5, 0.5, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0.2, 0.8, 0]}}})",
                              .behaviour = Structure{supervised<GoldLoss::cross_entropy>}};
}  // namespace attend::supervised_xent_entry
