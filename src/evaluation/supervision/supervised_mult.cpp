// SPDX-License-Identifier: Apache-2.0
// Supervised attention by the product:  -lambda sum_i ln sum_j a*_ij a_ij, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend {
namespace measures {
extern const MeasureEntry supervised_mult_entry;
const MeasureEntry supervised_mult_entry{
    .words =
        {.title = "Supervised attention, product",
         .formula = R"(-\lambda \sum_i \ln \sum_j a^*_{ij} a_{ij})",
         .sentence =
             "How little weight meets wanted weight in each row; 0 where both look at one and the same key.",
         .tells =
             "Tells whether each row gives weight to a wanted key; one of them is enough. Where "
             "the wanted weight is spread over several keys it never reaches 0.",
         .source = {"Liu, Utiyama, Finch, Sumita", 2016, "", "https://arxiv.org/abs/1609.04186"}},
    .record = supervised_measure<GoldForm::product>("supervised-mult")};
}  // namespace measures
}  // namespace attend
