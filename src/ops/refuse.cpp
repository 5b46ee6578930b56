// SPDX-License-Identifier: Apache-2.0
#include "ops/error.h"

namespace attend {

void refuse(const std::string& message) { throw Error(message); }
void refuse(const std::string& where, const std::string& message) { throw Error(where, message); }

}  // namespace attend
