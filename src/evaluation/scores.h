// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "evaluation/measure.h"

// How good a model's answers are, for the ablations: one score a row of answers.
namespace attend {

inline const List<Knob> score_knobs{choice_knob("metric", "accuracy", {"accuracy", "probability"})};

// The class that a label names among so many: the place of a word of the measure's vocabulary; else a whole number
// counts classes from 0.
std::size_t class_of(const MeasureIn& in, const std::string& label, std::size_t classes);

// The right class of every row of answers: the labels if there are any, or else what the model
// itself says, so that the score is how much of its answers is left.
std::vector<std::size_t> right_classes(const MeasureIn& in, const Tensor& output);

// The score of a row: 1 or 0, or the number that it gives to the right class.
double score_of(const Settings& settings, std::span<const double> row, std::size_t right);

// Adds a unit [with, without] an example, the mean scores of its rows in both tables.
void compare_scores(const MeasureIn& in, const Tensor& with, const Tensor& without, Finding& found);

// The mean of the differences.
double score_lost(const Settings& settings, Units units, Details* details);

}  // namespace attend
