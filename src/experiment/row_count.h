// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/compile.h"

namespace attend {

// Throws Error where the numbers of a document's program depend on how many rows an input has: a default that does, at
// its knob, or a setting under which the program does.
void check_row_count(const Compiled& compiled, const std::string& input,
                     const std::vector<std::string>& results);

}  // namespace attend
