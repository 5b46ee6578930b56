// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>

namespace attend {

// The reach of a band of keys that has no bound on that side.
inline constexpr std::ptrdiff_t unbounded = std::numeric_limits<std::ptrdiff_t>::max() / 4;

}  // namespace attend
