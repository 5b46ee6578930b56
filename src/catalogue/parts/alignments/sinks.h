// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// What alignments share whose weights need not sum to 1.
namespace attend {

// Softmax over the allowed keys and one more entry with the score `sink`, a number or [.. 1 1], whose weight goes to no
// key: the output `remainder`.
Var softmax_beside_sink(const AlignmentIn& in, Var sink);

// The scores less the best of their row, so that large scores keep their digits when they are multiplied; a softmax
// does not see the difference.
Var below_best(const AlignmentIn& in);

// How many keys each row may attend to: [m 1], or [1 1] without a mask. A row with none counts 1.
Var allowed_keys(const AlignmentIn& in);

}  // namespace attend
