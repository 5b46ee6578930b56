// SPDX-License-Identifier: Apache-2.0
// Supervised attention by the product:  -lambda sum_i ln sum_j a*_ij a_ij, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  found.units.push_back(
      {in.settings.number("lambda") * gold_loss(in, GoldForm::product, "gold", found)});
}

}  // namespace

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
    .record = {.id = "supervised-mult",
               .inputs = {{"map", InputType::map, "The weights.", true, InputRole::weights},
                          {"gold", InputType::map, "The weights they should be, in the same shape.",
                           true, InputRole::truth}},
               .knobs = {number_knob("lambda", "Factor", .1, 0, 2)},
               .better = Better::lower,
               .lowest = 0,
               .examine = examine,
               .value = mean_value}};
}  // namespace measures
}  // namespace attend
