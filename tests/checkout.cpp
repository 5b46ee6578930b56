// SPDX-License-Identifier: Apache-2.0
#include "tests/checkout.h"

namespace attend::testing {

std::string in_checkout(const std::string& path) { return ATTEND_SOURCE_DIR + path; }

}  // namespace attend::testing
