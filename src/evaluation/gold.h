// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluation/measure.h"

// What the measures of supervised attention have in common: weights and the weights they should be.
namespace attend {

enum class GoldForm { squares, cross_entropy, product };

// Of one map: the sum over its rows. Logarithms end at `smallest_weight`; rows without gold cost
// nothing but squares.
double gold_loss(const MeasureIn& in, GoldForm form, std::string_view gold, Finding& found);

// A weight below this counts as this, so that a weight of 0 costs much and not without end.
inline constexpr double smallest_weight = 1e-30;

}  // namespace attend
