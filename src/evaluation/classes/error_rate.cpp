// SPDX-License-Identifier: Apache-2.0
// Error rate: the share of places where the model says a wrong class.
#include "evaluation/confusion.h"

namespace attend {
namespace {

double value(const Settings& settings, Units units, Details* details) {
  const Confusion confusion(settings, units);
  confusion.describe(details);
  return confusion.all() > 0 ? (confusion.all() - confusion.hits()) / confusion.all()
                             : not_a_number;
}

}  // namespace

namespace measures {
extern const MeasureEntry error_rate_entry;
const MeasureEntry error_rate_entry{
    .words =
        {.title = "Error rate",
         .formula = R"(\frac{1}{N} \sum_i [\hat y_i \ne y_i])",
         .sentence = "The share of places where the model says a wrong class.",
         .tells =
             "Tells how often the model is wrong, not which classes it mistakes for each other: the "
             "confusion matrix beside it does.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "error-rate",
               .inputs = class_inputs,
               .better = Better::lower,
               .lowest = 0,
               .highest = 1,
               .interval = IntervalKind::wilson,
               .examine = examine_classes,
               .value = value}};
}  // namespace measures
}  // namespace attend
