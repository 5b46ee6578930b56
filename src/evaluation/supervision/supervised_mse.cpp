// SPDX-License-Identifier: Apache-2.0
// Supervised attention by squares:  lambda sum_ij (a*_ij - a_ij)^2, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  found.units.push_back(
      {in.settings.number("lambda") * gold_loss(in, GoldForm::squares, "gold", found)});
}

}  // namespace

namespace measures {
extern const MeasureEntry supervised_mse_entry;
const MeasureEntry supervised_mse_entry{
    .words =
        {.title = "Supervised attention, squares",
         .formula = R"(\lambda \sum_{ij} (a^*_{ij} - a_{ij})^2)",
         .sentence =
             "The squared differences between the weights and the weights that a person, or an "
             "aligner, wants.",
         .tells =
             "Tells how far attention is from the wanted weights, large differences above all; it "
             "cannot tell whether the wanted weights are good for the task.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.2",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "supervised-mse",
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
