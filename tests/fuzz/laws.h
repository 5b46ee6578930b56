// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace attend::fuzz {

// What the engine breaks with this document, as a sentence; empty when it keeps its promises: an
// answer or an error that says where, finite numbers, rows of weights that sum to one, masked keys
// without weight, the same answer again, from the normalised document and from an engine that
// remembers the last run; a cell explained with its own value; an export or an error; beside another
// example the same numbers. The last five are slow: `check` says which of them.
inline constexpr std::size_t slow_checks = 5;
std::string broken_law(const std::string& document, std::size_t check);

}  // namespace attend::fuzz
