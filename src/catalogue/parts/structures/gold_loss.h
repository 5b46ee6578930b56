// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// What the losses of supervised attention have in common: lambda times the sum over rows that
// the form gives for weights [m n] and those that are wanted [m n]. Logarithms end at 1e-30, so that
// a weight of 0 costs much and not without end.
enum class GoldLoss { squares, cross_entropy, product };
Tensors gold_loss(const Scope& in, GoldLoss form, Var weights, std::string_view gold_port,
                  Var gold);
// The whole build of such a loss with the ports `weights` and `gold`.
template <GoldLoss form>
Tensors supervised(const Scope& in, const Tensors& inputs) {
  return gold_loss(in, form, inputs["weights"], "gold", inputs["gold"]);  // [m n] [m n]
}
inline const List<Knob> supervised_knobs = {number_knob("lambda", .1, 0, 2)};
inline const List<Role> supervised_roles = {{"weights", "m n"}, {"gold", "m n"}};

}  // namespace attend
