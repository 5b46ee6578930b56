// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "experiment/run.h"

namespace attend {

// For every tensor of the list the places of the nearest others that it was computed from: outputs,
// inputs and parameters, whatever nameless intermediates and steps lie between. Of two names for one
// node the later one comes from the earlier. Only outputs come from anything.
std::vector<std::vector<std::size_t>> sources_of(const Compiled& compiled,
                                                 const std::vector<const ResultTensor*>& tensors);

}  // namespace attend
