// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// Blocks of rows, one after the other, without what fills up the last: [C .. b d] -> [.. n d].
Var rows_of_blocks(Var blocks, std::size_t n);

}  // namespace attend
