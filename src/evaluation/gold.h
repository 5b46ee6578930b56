// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluation/measure.h"

// What the measures of supervised attention have in common: weights and the weights they should be.
namespace attend {

enum class GoldForm { squares, cross_entropy, product };

// Of one map: the sum over its rows. Logarithms end at `smallest_weight`; rows without gold cost
// nothing but squares.
double gold_loss(const MeasureIn& in, GoldForm form, std::string_view gold, Finding& found);

// What a measure of this form reads of an example, and what it makes of it.
template <GoldForm form>
void examine_gold(const MeasureIn& in, Finding& found) {
  found.units.push_back({in.settings.number("lambda") * gold_loss(in, form, "gold", found)});
}

inline constexpr MeasureInput gold_map{"map", InputType::map, true, InputRole::weights};
inline constexpr MeasureInput gold_wanted{"gold", InputType::map, true, InputRole::truth};
inline constexpr List<MeasureInput> gold_inputs{gold_map, gold_wanted};
inline constexpr Knob gold_factor = number_knob("lambda", .1, 0, 2);
inline constexpr List<Knob> gold_knobs{gold_factor};

// The record of a measure of supervised attention: only its id and its form are its own.
template <GoldForm form>
constexpr Measure supervised_measure(std::string_view id) {
  return {.id = id,
          .inputs = gold_inputs,
          .knobs = gold_knobs,
          .better = Better::lower,
          .lowest = 0,
          .examine = examine_gold<form>,
          .value = mean_value};
}

// A weight below this counts as this, so that a weight of 0 costs much, but not infinitely much.
inline constexpr double smallest_weight = 1e-30;

}  // namespace attend
