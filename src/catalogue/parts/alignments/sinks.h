// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// What alignments share whose weights need not sum to 1.
namespace attend {

// Softmax over the allowed keys and one more entry with the score `sink`, whose weight goes to no key: the output
// `remainder`. Where `open` is 0 there is no such entry. Both broadcast to [.. m 1]; an empty `open` is 1.
Var softmax_beside_sink(const AlignmentIn& in, Var sink, Var open = {});

// How many keys each row may attend to: [m 1], or [1 1] without a mask. A row with none counts 1.
Var allowed_keys(const AlignmentIn& in);

}  // namespace attend
