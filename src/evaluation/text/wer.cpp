// SPDX-License-Identifier: Apache-2.0
// Word error rate:  (S + D + I) / N  by the fewest substitutions, deletions and insertions.
#include "evaluation/edits.h"

namespace attend::measures {
extern const MeasureEntry wer_entry;
const MeasureEntry wer_entry{
    .words =
        {.title = "Word error rate",
         .formula = R"(\frac{S + D + I}{N})",
         .sentence =
             "The fewest words to replace, delete and insert to make the reference into the text, for "
             "each word of the reference.",
         .tells =
             "Tells how much would have to be corrected, every word counting alike; it knows no synonyms, "
             "and a text that is too long can score above 1.",
         .source = {"Brauwers, Frasincar", 2022, "section 4.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {
        .id = "wer",
        .inputs = {{"tokens", InputType::tokens, "The text, a word a token.", true,
                    InputRole::text},
                   {"reference", InputType::tokens, "What it should be.", true, InputRole::truth}},
        .better = Better::lower,
        .lowest = 0,
        .examine = examine_edits,
        .value = edit_rate}};
}  // namespace attend::measures
