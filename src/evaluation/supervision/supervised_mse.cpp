// SPDX-License-Identifier: Apache-2.0
// Supervised attention by squares:  lambda sum_ij (a*_ij - a_ij)^2, a* the weights that are wanted.
// Liu, Utiyama, Finch, Sumita 2016, arXiv:1609.04186
#include "evaluation/gold.h"

namespace attend::supervised_mse_entry {
extern const Measure supervised_mse_measure{
    supervised_measure<GoldForm::squares>("supervised-mse")};
}  // namespace attend::supervised_mse_entry
