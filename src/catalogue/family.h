// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attend {

struct Mechanism;

// The folder of a mechanism's file below src/catalogue: what menus group it by.
std::string_view family_of(const Mechanism& mechanism);

}  // namespace attend
