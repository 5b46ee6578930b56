// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace attend::testing {

// Where a file or folder of this checkout stands, by its path below the root: "/examples". One source file knows the
// root (checkout.cpp), so that the objects of all others serve every checkout.
std::string in_checkout(const std::string& path);

}  // namespace attend::testing
