// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace attend::testing {

// Bytes that `new` has handed out and not got back, and the most since `restart_memory_peak`. All 0
// under the address sanitizer.
std::size_t memory_held();
std::size_t memory_peak();
void restart_memory_peak();
// How often `new` was called.
std::size_t memory_calls();

}  // namespace attend::testing
