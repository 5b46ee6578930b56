// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/text/json_parse.h"
#include "training/optimiser.h"
#include "training/task.h"

namespace attend {

// When a training ends before its steps are over: at the first measurement that reaches all of these.
struct StopAt {
  std::optional<double> accuracy, alignment, loss;
};

// The document's member `training`.
struct TrainingSettings {
  const Task* task = nullptr;
  TaskSettings knobs;
  std::map<std::string, std::string, std::less<>> inputs;  // by field; the input that it fills
  OptimiserSettings optimiser;
  Schedule schedule;
  std::size_t batch = 32;
  // The gradients of so many parts of a batch are computed one by one, and added in their order.
  std::size_t shares = 1;
  std::uint64_t steps = 1000;
  double clip = 0;  // the longest that all gradients together may be; 0: as long as they are
  double dropout = 0;
  std::map<std::string, double, std::less<>> word_dropout;  // by field
  double teacher_forcing = 1;
  double guide = 0;
  std::optional<std::string> estimator;
  StopAt stop;
  std::vector<std::string> frozen;  // patterns of the names of parameters that stay as they are

  // REINFORCE with a moving baseline: the loss itself rewards what was drawn.
  [[nodiscard]] bool rewarded() const { return estimator == "moving-baseline"; }
  [[nodiscard]] const std::string& input_of(std::size_t field) const;
};

// Throws Error naming the field.
TrainingSettings read_training(const Json& json);

}  // namespace attend
