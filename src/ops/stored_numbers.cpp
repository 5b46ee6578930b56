// SPDX-License-Identifier: Apache-2.0
#include "ops/stored_numbers.h"

#include <algorithm>

#include "ops/weight_store.h"

namespace attend {

std::optional<std::size_t> first_stored_matrix(const Shape& shape, const StoredNumbers& stored) {
  const Shape& whole = stored.tensor->shape();
  if (shape.size() < 2 || whole.size() < 2 ||
      !std::equal(shape.end() - 2, shape.end(), whole.end() - 2))
    return std::nullopt;
  const std::size_t size = shape.end()[-2] * shape.back();
  if (size == 0 || stored.first % size != 0 || !stored.tensor->matrix(0)) return std::nullopt;
  return stored.first / size;
}

}  // namespace attend
