// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/running/packed.h"

namespace attend {

// Of a result the tensors with these names, "outputs/weights": their entries of the directory, and
// their numbers alone. Throws Error for a name that there is not.
Packed pack_named(const Compiled& compiled, const Result& result,
                  const std::vector<std::string>& names);

}  // namespace attend
