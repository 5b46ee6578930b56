// SPDX-License-Identifier: Apache-2.0
// Recall: of the places where a class is right, the share where the model says it.
#include "evaluation/confusion.h"

namespace attend {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {confusion.at(c, c), confusion.right(c)};
}

double value(const Settings& settings, Units units, Details* details) {
  return averaged_share(settings, Confusion(settings, units), of, details);
}

}  // namespace

namespace measures {
extern const MeasureEntry recall_entry;
const MeasureEntry recall_entry{
    .words = {.title = "Recall",
              .formula = R"(\frac{TP}{TP + FN})",
              .sentence = "Of the places where a class is right, the share that the model finds.",
              .tells =
                  "Tells how much of each class the model finds, not how often it names the class "
                  "where it is wrong; a class that is never right counts as 0.",
              .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                         "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "recall",
               .inputs = class_inputs,
               .knobs = average_knobs,
               .better = Better::higher,
               .lowest = 0,
               .highest = 1,
               .examine = examine_classes,
               .value = value}};
}  // namespace measures
}  // namespace attend
