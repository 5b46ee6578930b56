// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace attend {

// A name as a part of a JSON pointer: ~ is written ~0, and / is written ~1.
std::string as_pointer_part(std::string_view name);

// The name that such a part encodes.
std::string from_pointer_part(std::string_view part);

}  // namespace attend
