// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/architecture.h"

namespace attend {

// What a reader is shown of a checkpoint before it opens: {"tensors": [{"name", "shape", "type", "file", "state",
// "as"}], "tied": {parameter: source}, "numbers", "tokenizer": {"file", "kind", "pieces"}, "config"}. The state of a
// tensor is "used" (as these parameters), "left" over, or "ignored", because it holds no weights.
Json listing_of(const Checkpoint& checkpoint, const ImportPlan& plan);

}  // namespace attend
