// SPDX-License-Identifier: Apache-2.0
// Supervised attention by squares:  lambda sum_ij (a*_ij - a_ij)^2, a* the weights that are wanted.
#include "evaluation/gold.h"

namespace attend {
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
    .record = supervised_measure<GoldForm::squares>("supervised-mse")};
}  // namespace measures
}  // namespace attend
