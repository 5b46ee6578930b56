// SPDX-License-Identifier: Apache-2.0
// Supervised attention by the product:  -lambda sum_i ln sum_j a*_ij a_ij, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend::supervised_mult_entry {
extern const Measure supervised_mult_measure{
    supervised_measure<GoldForm::product>("supervised-mult")};
}  // namespace attend::supervised_mult_entry
