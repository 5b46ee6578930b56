// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// above / below, and `above` itself where `below` is 0: a row of zeros has no length and no sum, and stays 0.
Var ratio(Var above, Var below);

}  // namespace attend
