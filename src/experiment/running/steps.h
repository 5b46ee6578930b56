// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "experiment/running/run.h"

namespace attend {

// The named intermediates on the way to what is wanted, in the order in which a reader follows the computation. A run
// that keeps their numbers leaves out those that are too large to keep unasked.
std::vector<KnownTensor> steps_of(const Compiled& compiled, const std::vector<Var>& wanted,
                                  Detail detail);

}  // namespace attend
