// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attend {

// The names that are written most like a name, joined by commas: those that contain it or are contained in it first,
// then by the number of letters to change.
std::string names_near(const std::string& name, std::vector<std::string> names,
                       std::size_t most = 6);

}  // namespace attend
