// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attend {

// The functions of a Python file that `body` calls, and those that they call, in the order of the file.
std::string called_functions(const std::string& body, std::string_view file);

// The helper functions that `body` calls, in an order in which each comes before its use.
std::string helpers_for(const std::string& body, bool torch);

// The names of all helpers, which nothing else in exported code may take.
std::vector<std::string> helper_names();

}  // namespace attend
