// SPDX-License-Identifier: Apache-2.0
// F1: the harmonic mean of precision P and recall R,  2 P R / (P + R) = 2 TP / (2 TP + FP + FN)
#include "evaluation/confusion.h"

namespace attend {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {2 * confusion.at(c, c), confusion.said(c) + confusion.right(c)};
}

double value(const Settings& settings, Units units, Details* details) {
  return averaged_share(settings, Confusion(settings, units), of, details);
}

}  // namespace

namespace measures {
extern const MeasureEntry f1_entry;
const MeasureEntry f1_entry{
    .words =
        {.title = "F1",
         .formula = R"(\frac{2 P R}{P + R} = \frac{2\,TP}{2\,TP + FP + FN})",
         .sentence = "The harmonic mean of precision and recall: high only when both are.",
         .tells =
             "Tells whether the model both finds a class and can be trusted about it, in one number that "
             "no longer shows which of the two is lacking.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "f1",
               .inputs = class_inputs,
               .knobs = average_knobs,
               .better = Better::higher,
               .lowest = 0,
               .highest = 1,
               .examine = examine_classes,
               .value = value}};
}  // namespace measures
}  // namespace attend
