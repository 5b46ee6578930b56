// SPDX-License-Identifier: Apache-2.0
// Supervised attention by the product:  L = -lambda sum_i ln sum_j a*_ij a_ij, a* the weights that are wanted.
#include "catalogue/entry.h"
#include "catalogue/parts/structures/gold_loss.h"

namespace attend::supervised_mult_entry {

Arrays reference(const ReferenceIn& in) {
  const Array &a = in["weights"], &gold = in["gold"];
  double loss = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double met = 0, wanted = 0;
    for (std::size_t j = 0; j < a.cols(); ++j) {
      met += gold(i, j) * a(i, j);
      wanted += gold(i, j);
    }
    if (wanted > 0) loss -= std::log(std::max(met, 1e-30));
  }
  return {{"loss", Array(Shape{}, in.number("lambda") * loss)}};
}

extern const Mechanism record{.id = "supervised-mult",
                              .knobs = supervised_knobs,
                              .roles = supervised_roles,
                              .around = R"({"inputs": {
                 "weights": {"data": [0.3, 0.2, 0.1, 0.3, 0.1,  0.6, 0.1, 0.1, 0.1, 0.1,
                                      0.2, 0.2, 0.2, 0.2, 0.2,  0.05, 0.05, 0.1, 0.7, 0.1]},
                 "gold": {"data": [1, 0, 0, 0, 0,  0.5, 0.5, 0, 0, 0,  0, 0, 0.6, 0.4, 0,  0, 0, 0.2, 0.8, 0]}}})",
                              .behaviour = Structure{supervised<GoldLoss::product>}};
}  // namespace attend::supervised_mult_entry
