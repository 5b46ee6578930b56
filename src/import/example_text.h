// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "import/checkpoint.h"
#include "import/tokenizer.h"

namespace attend {

// Reads the checkpoint's tokenizer, which stays in `tokenizer_read`, and writes it as the file of weights has it. One
// that is of an unknown kind or too large is left out, and `tokenizer_left` says why. Throws Error, naming the file,
// where it is damaged.
void settle_tokenizer(Checkpoint& into);

// The first text of an imported document.
struct ExampleText {
  PieceIds ids;
  Json labels;  // null without a tokenizer
};
// The family's example as the tokenizer cuts it, as far as it fits into so many positions; without a tokenizer, or with
// one that has no piece of it, the first numbers of the vocabulary. 0 rows or positions: as many as there are. Throws
// Error where the tokenizer has more pieces than the vocabulary has rows.
ExampleText example_text(const Checkpoint& checkpoint, std::string text, std::size_t rows,
                         std::size_t positions);

}  // namespace attend
