// SPDX-License-Identifier: Apache-2.0
// Error rate: the share of places where the model says a wrong class.
#include "evaluation/confusion.h"

namespace attend::error_rate_entry {
namespace {

double value(const Settings& settings, Units units, Details* details) {
  const Confusion confusion(settings, units);
  confusion.describe(details);
  return confusion.all() > 0 ? (confusion.all() - confusion.hits()) / confusion.all()
                             : not_a_number;
}

}  // namespace

extern const Measure error_rate_measure{.id = "error-rate",
                                        .inputs = class_inputs,
                                        .better = Better::lower,
                                        .lowest = 0,
                                        .highest = 1,
                                        .interval = IntervalKind::wilson,
                                        .examine = examine_classes,
                                        .value = value};
}  // namespace attend::error_rate_entry
