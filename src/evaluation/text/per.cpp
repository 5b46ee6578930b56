// SPDX-License-Identifier: Apache-2.0
// Phoneme error rate: the word error rate with a speech sound as the unit,  (S + D + I) / N
#include "evaluation/edits.h"

namespace attend::measures {
extern const MeasureEntry per_entry;
const MeasureEntry per_entry{
    .words =
        {.title = "Phoneme error rate",
         .formula = R"(\frac{S + D + I}{N})",
         .sentence =
             "The fewest speech sounds to replace, delete and insert, for each sound of the reference.",
         .tells =
             "Tells how far the sounds are from the right ones before any spelling; two sounds that are "
             "nearly alike count as much as two that are not.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {
        .id = "per",
        .inputs = {{"tokens", InputType::tokens, "The text, a speech sound a token.", true,
                    InputRole::text},
                   {"reference", InputType::tokens, "What it should be.", true, InputRole::truth}},
        .better = Better::lower,
        .lowest = 0,
        .examine = examine_edits,
        .value = edit_rate}};
}  // namespace attend::measures
