// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace attend::testing {

// Bytes that `new` has handed out and not got back, and the most since `restart_memory_peak`.
std::size_t memory_held();
std::size_t memory_peak();
void restart_memory_peak();

}  // namespace attend::testing
