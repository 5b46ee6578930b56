// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/lengths.h"

namespace attend {

// Whether two recordings of a document at equal sizes hold the same numbers that are neither inputs nor weights.
bool same_constants(const SizedRecording& a, const SizedRecording& b);

// Why the length in which two recordings differ cannot be free: a weight or a given number depends on it. Empty where
// it can.
std::string what_moves_constants(const SizedRecording& a, const SizedRecording& b);

// Sizes with two and with all of them moved from the base, from the given axis on.
std::vector<std::vector<std::size_t>> mixed_points(const std::vector<std::size_t>& base,
                                                   std::size_t from);

}  // namespace attend
