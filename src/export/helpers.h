// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace attend {

// The definitions of the helper functions that `body` calls, in an order in which each comes before
// its use.
std::string helpers_for(const std::string& body, bool torch);

}  // namespace attend
