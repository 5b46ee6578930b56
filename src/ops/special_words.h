// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace attend {

// The words that every vocabulary begins with, at their indices.
inline constexpr std::array<std::string_view, 3> special_words{"<start>", "<end>", "<unknown>"};

}  // namespace attend
