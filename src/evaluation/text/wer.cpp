// SPDX-License-Identifier: Apache-2.0
// Word error rate:  (S + D + I) / N  by the fewest substitutions, deletions and insertions.
#include "evaluation/edits.h"

namespace attend::wer_entry {
extern const Measure wer_measure{
    .id = "wer",
    .inputs = {{"tokens", InputType::tokens, true, InputRole::text},
               {"reference", InputType::tokens, true, InputRole::truth}},
    .better = Better::lower,
    .lowest = 0,
    .examine = examine_edits,
    .value = edit_rate};
}  // namespace attend::wer_entry
