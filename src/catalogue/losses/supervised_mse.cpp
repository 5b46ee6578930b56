// SPDX-License-Identifier: Apache-2.0
// Supervised attention by squares:  L = lambda sum_ij (a*_ij - a_ij)^2, a* the weights that are wanted.
// Liu, Utiyama, Finch, Sumita 2016, arXiv:1609.04186
#include "catalogue/entry.h"
#include "catalogue/parts/structures/gold_loss.h"

namespace attend::supervised_mse_entry {

Arrays reference(const ReferenceIn& in) {
  const Array &a = in["weights"], &gold = in["gold"];
  double loss = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j)
      loss += (gold(i, j) - a(i, j)) * (gold(i, j) - a(i, j));
  }
  return {{"loss", Array(Shape{}, in.number("lambda") * loss)}};
}

extern const Mechanism record{.id = "supervised-mse",
                              .knobs = supervised_knobs,
                              .roles = supervised_roles,
                              .around = R"({"inputs": {
                 "weights": {"data": [0.3, 0.2, 0.1, 0.3, 0.1,  0.6, 0.1, 0.1, 0.1, 0.1,
                                      0.2, 0.2, 0.2, 0.2, 0.2,  0.05, 0.05, 0.1, 0.7, 0.1]},
                 "gold": {"data": [1, 0, 0, 0, 0,  0.5, 0.5, 0, 0, 0,  0, 0, 0, 0, 0,  0, 0, 0.2, 0.8, 0]}}})",
                              .behaviour = Structure{supervised<GoldLoss::squares>}};
}  // namespace attend::supervised_mse_entry
