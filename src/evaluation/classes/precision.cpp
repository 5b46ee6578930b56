// SPDX-License-Identifier: Apache-2.0
// Precision: of the places where the model says a class, the share where it is right.
#include "evaluation/confusion.h"

namespace attend {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {confusion.at(c, c), confusion.said(c)};
}

double value(const Settings& settings, Units units, Details* details) {
  return averaged_share(settings, Confusion(settings, units), of, details);
}

}  // namespace

namespace measures {
extern const MeasureEntry precision_entry;
const MeasureEntry precision_entry{
    .words =
        {.title = "Precision",
         .formula = R"(\frac{TP}{TP + FP})",
         .sentence = "Of the places where the model says a class, the share where that is right.",
         .tells =
             "Tells how far a class that the model says can be trusted, not how much of it the model "
             "misses; a class that is never said counts as 0.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "precision",
               .inputs = class_inputs,
               .knobs = average_knobs,
               .better = Better::higher,
               .lowest = 0,
               .highest = 1,
               .examine = examine_classes,
               .value = value}};
}  // namespace measures
}  // namespace attend
