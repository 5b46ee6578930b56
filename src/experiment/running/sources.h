// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "experiment/running/run.h"

namespace attend {

// At most so many sources of all tensors together are listed; of each tensor at least so many as below.
inline constexpr std::size_t max_all_sources = 1'000'000;
inline constexpr std::size_t min_sources = 64;

// For every tensor of the list the places of the nearest others that it was computed from: outputs,
// inputs and parameters, whatever nameless intermediates and steps lie between. Of two names for one
// node the later one comes from the earlier. Only outputs come from anything. Where thousands of hops
// each read all before them, the lists would grow with their square: then each tells the newest only.
// Takes one pass over the program, whatever the number of tensors.
std::vector<std::vector<std::size_t>> sources_of(const Compiled& compiled,
                                                 const std::vector<const ResultTensor*>& tensors,
                                                 std::size_t most_of_all = max_all_sources);

}  // namespace attend
