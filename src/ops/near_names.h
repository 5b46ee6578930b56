// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attend {

// The names that are written most like a name, joined by commas: those that contain it or are contained in it first,
// then by the number of letters to change.
std::string names_near(const std::string& name, std::vector<std::string> names,
                       std::size_t most = 6);

// The end of an error about a name that does not exist: all names behind `all` ("there are ") if they are few, else
// "closest are " and those most like it.
std::string names_for(const std::string& name, const std::vector<std::string>& names,
                      std::string_view all);

}  // namespace attend
