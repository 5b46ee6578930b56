// SPDX-License-Identifier: Apache-2.0
// Accuracy: the share of places where the model says the right class.
#include "evaluation/confusion.h"

namespace attend::accuracy_entry {
namespace {

double value(const Settings& settings, Units units, Details* details) {
  const Confusion confusion(settings, units);
  confusion.describe(details);
  return confusion.all() > 0 ? confusion.hits() / confusion.all() : not_a_number;
}

}  // namespace

extern const Measure accuracy_measure{.id = "accuracy",
                                      .inputs = class_inputs,
                                      .better = Better::higher,
                                      .lowest = 0,
                                      .highest = 1,
                                      .interval = IntervalKind::wilson,
                                      .examine = examine_classes,
                                      .value = value};
}  // namespace attend::accuracy_entry
