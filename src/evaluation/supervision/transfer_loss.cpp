// SPDX-License-Identifier: Apache-2.0
// Transferred attention: the weights of a teacher, trained before, are those that are wanted; any form of the
// supervised losses compares.
// Galassi, Lippi, Torroni 2020, section V-A (in words), arXiv:1902.02181
#include "evaluation/gold.h"

namespace attend {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  const std::string& form = in.settings.text("form");
  const GoldForm by = form == "mse"    ? GoldForm::squares
                      : form == "xent" ? GoldForm::cross_entropy
                                       : GoldForm::product;
  found.units.push_back({in.settings.number("lambda") * gold_loss(in, by, "teacher", found)});
}

}  // namespace

namespace measures {
extern const MeasureEntry transfer_loss_entry;
const MeasureEntry transfer_loss_entry{
    .words =
        {.title = "Transferred attention",
         .formula = R"(\lambda\, L(a^{\text{teacher}}, a))",
         .sentence =
             "How far the weights are from those of a teacher, a model that was trained before.",
         .tells =
             "Tells how far a model looks where its teacher looks; a good pupil may have found a "
             "better way to look.",
         .source = {"Galassi, Lippi, Torroni", 2020, "section V-A",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {
        .id = "transfer-loss",
        .inputs = {gold_map,
                   {"teacher", InputType::map, "The teacher's weights, in the same shape."}},
        .knobs = {choice_knob("form", "Compared by", "mse", {"mse", "xent", "mult"}), gold_factor},
        .better = Better::lower,
        .lowest = 0,
        .examine = examine,
        .value = mean_value}};
}  // namespace measures
}  // namespace attend
