// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/recording/compile.h"
#include "ops/origin.h"

namespace attend {

// Whether anything that the outputs need computes with the node, and does not only put its cells in another place.
bool is_read(const Compiled& compiled, const CellOrigin& origin);

}  // namespace attend
