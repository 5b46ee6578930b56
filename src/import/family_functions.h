// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/checkpoint.h"

// What the expressions of a family's file compute besides sizes (docs/import.md).
namespace attend {

// Whether two tensors of the files are byte for byte the same.
bool same_numbers(const StoredTensor& a, const StoredTensor& b);
// The side of a square of so many patches; null where there is none.
Json whole_root(const Json& square);
Json square_root(const Json& square);
// How the model's tokenizer writes a piece, by its number; null where there is none.
Json piece_text(const Checkpoint& checkpoint, const Json& id);
// Which rows make a sentence, by 1_Pooling/config.json; null where there is no such file. Throws Error where this is
// not one of the ways that can be computed.
Json sentence_pooling(const Checkpoint& checkpoint, bool needed);

}  // namespace attend
