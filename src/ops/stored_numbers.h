// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "ops/graph.h"

namespace attend {

// Which matrix of the tensor a node of that shape begins with, if its last two axes are the tensor's and can be
// multiplied as they lie: for products that read a store.
std::optional<std::size_t> first_stored_matrix(const Shape& shape, const StoredNumbers& stored);

}  // namespace attend
