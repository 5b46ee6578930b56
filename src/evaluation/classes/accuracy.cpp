// SPDX-License-Identifier: Apache-2.0
// Accuracy: the share of places where the model says the right class.
#include "evaluation/confusion.h"

namespace attend {
namespace {

double value(const Settings& settings, Units units, Details* details) {
  const Confusion confusion(settings, units);
  confusion.describe(details);
  return confusion.all() > 0 ? confusion.hits() / confusion.all() : not_a_number;
}

}  // namespace

namespace measures {
extern const MeasureEntry accuracy_entry;
const MeasureEntry accuracy_entry{
    .words =
        {.title = "Accuracy",
         .formula = R"(\frac{1}{N} \sum_i [\hat y_i = y_i])",
         .sentence = "The share of places where the model says the right class.",
         .tells =
             "Tells how often the model is right; where one class is rare it hides that the model never "
             "finds it.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "accuracy",
               .inputs = class_inputs,
               .better = Better::higher,
               .lowest = 0,
               .highest = 1,
               .interval = IntervalKind::wilson,
               .examine = examine_classes,
               .value = value}};
}  // namespace measures
}  // namespace attend
