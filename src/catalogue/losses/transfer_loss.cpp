// SPDX-License-Identifier: Apache-2.0
// Transferred attention: a supervised loss whose wanted weights are those of a teacher, trained before or beside;
// freeze keeps the teacher as it is.
// Galassi, Lippi, Torroni 2021, section V-A (in words), arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/parts/structures/gold_loss.h"

namespace attend::transfer_loss_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const std::string& form = in.text("form");
  const GoldLoss by = form == "mse"    ? GoldLoss::squares
                      : form == "xent" ? GoldLoss::cross_entropy
                                       : GoldLoss::product;
  const Var teacher = in.flag("freeze") ? detach(inputs["teacher"]) : inputs["teacher"];  // [m n]
  return gold_loss(in, by, inputs["weights"], "teacher", teacher);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &a = in["weights"], &gold = in["teacher"];
  const std::string& form = in.text("form");
  double loss = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double squares = 0, logs = 0, met = 0, wanted = 0;
    for (std::size_t j = 0; j < a.cols(); ++j) {
      squares += std::pow(gold(i, j) - a(i, j), 2);
      if (gold(i, j) > 0) logs -= gold(i, j) * std::log(std::max(a(i, j), 1e-30));
      met += gold(i, j) * a(i, j);
      wanted += gold(i, j);
    }
    const double product = wanted > 0 ? -std::log(std::max(met, 1e-30)) : 0;
    loss += form == "mse" ? squares : form == "xent" ? logs : product;
  }
  return {{"loss", Array(Shape{}, in.number("lambda") * loss)}};
}

extern const Mechanism record{.id = "transfer-loss",
                              .knobs = {choice_knob("form", "mse", {"mse", "xent", "mult"}),
                                        flag_knob("freeze", true), number_knob("lambda", .1, 0, 2)},
                              .roles = {{"weights", "m n"}, {"teacher", "m n"}},
                              .example = R"("freeze": false)",
                              .around = R"({"inputs": {
                 "weights": {"data": [0.3, 0.2, 0.1, 0.3, 0.1,  0.6, 0.1, 0.1, 0.1, 0.1,
                                      0.2, 0.2, 0.2, 0.2, 0.2,  0.05, 0.05, 0.1, 0.7, 0.1]},
                 "teacher": {"data": [0.9, 0.1, 0, 0, 0,  0.5, 0.5, 0, 0, 0,  0, 0, 1, 0, 0,  0, 0, 0.2, 0.8, 0]}}})",
                              .behaviour = Structure{build}};
}  // namespace attend::transfer_loss_entry
