// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attend {

// Whether a name fits a pattern, in which each * matches any letters, or none.
bool fits_pattern(std::string_view name, std::string_view pattern);

// Whether a pattern of `training.frozen` fits the name.
bool is_frozen(const std::string& name, const std::vector<std::string>& patterns);

// The names that training moves: those that no pattern of `training.frozen` fits. Throws Error for a pattern that fits
// none of `known`, and when nothing is left.
std::vector<std::string> without_frozen(const std::vector<std::string>& learned,
                                        const std::vector<std::string>& known,
                                        const std::vector<std::string>& frozen);

}  // namespace attend
