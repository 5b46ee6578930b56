// SPDX-License-Identifier: Apache-2.0
// Phoneme error rate: the word error rate with a speech sound as the unit,  (S + D + I) / N
#include "evaluation/edits.h"

namespace attend::per_entry {
extern const Measure per_measure{.id = "per",
                                 .inputs = {{"tokens", InputType::tokens, true, InputRole::text},
                                            // Only a reader can say that words are speech sounds.
                                            {"reference", InputType::tokens}},
                                 .better = Better::lower,
                                 .lowest = 0,
                                 .examine = examine_edits,
                                 .value = edit_rate};
}  // namespace attend::per_entry
