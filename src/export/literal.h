// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ops/shape.h"

namespace attend {

// Numbers as nested Python lists, exact to the last bit, one row a line when there are several. As many words as rows
// stand beside them as comments.
std::string python_list(const std::vector<double>& values, const Shape& shape,
                        const std::vector<std::string>& words = {});

}  // namespace attend
