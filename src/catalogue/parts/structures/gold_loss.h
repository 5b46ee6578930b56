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

}  // namespace attend
