// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attend {

// The definitions of the helper functions that `body` calls, in an order in which each comes before
// its use.
std::string helpers_for(const std::string& body, bool torch);

// The names of all helpers, which nothing else in exported code may take.
std::vector<std::string> helper_names();

}  // namespace attend
