// SPDX-License-Identifier: Apache-2.0
// Supervised attention by cross-entropy:  -lambda sum_ij a*_ij ln a_ij, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend::supervised_xent_entry {
extern const Measure supervised_xent_measure{
    supervised_measure<GoldForm::cross_entropy>("supervised-xent")};
}  // namespace attend::supervised_xent_entry
