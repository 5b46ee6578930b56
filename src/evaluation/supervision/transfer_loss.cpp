// SPDX-License-Identifier: Apache-2.0
// Transferred attention: the weights of a teacher, trained before, are those that are wanted; any form of the
// supervised losses compares.
// Galassi, Lippi, Torroni 2021, section V-A (in words), arXiv:1902.02181
#include "evaluation/gold.h"

namespace attend::transfer_loss_entry {
namespace {

void examine(const MeasureIn& in, Finding& found) {
  const std::string& form = in.settings.text("form");
  const GoldForm by = form == "mse"    ? GoldForm::squares
                      : form == "xent" ? GoldForm::cross_entropy
                                       : GoldForm::product;
  found.units.push_back({in.settings.number("lambda") * gold_loss(in, by, "teacher", found)});
}

}  // namespace

extern const Measure transfer_loss_measure{
    .id = "transfer-loss",
    .inputs = {gold_map, {"teacher", InputType::map}},
    .knobs = {choice_knob("form", "mse", {"mse", "xent", "mult"}), gold_factor},
    .better = Better::lower,
    .lowest = 0,
    .examine = examine,
    .value = mean_value};
}  // namespace attend::transfer_loss_entry
