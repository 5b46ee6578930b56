// SPDX-License-Identifier: Apache-2.0
// Supervised attention by cross-entropy:  -lambda sum_ij a*_ij ln a_ij, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend {
namespace measures {
extern const MeasureEntry supervised_xent_entry;
const MeasureEntry supervised_xent_entry{
    .words =
        {.title = "Supervised attention, cross-entropy",
         .formula = R"(-\lambda \sum_{ij} a^*_{ij} \ln a_{ij})",
         .sentence =
             "How surprised the weights are by the wanted ones; least where both are the same.",
         .tells =
             "Tells whether every wanted key gets weight; it is largest where a wanted key gets "
             "none. Its least value is the entropy of the wanted weights, not 0.",
         .source = {"Mi, Wang, Ittycheriah", 2016, "", "https://aclanthology.org/D16-1249"}},
    .record = supervised_measure<GoldForm::cross_entropy>("supervised-xent")};
}  // namespace measures
}  // namespace attend
