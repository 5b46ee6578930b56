// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ops/weight_store.h"

namespace attend {

// The same tensors, whose matrices of bytes are multiplied with rows that are rounded to whole numbers too:
// `"parameters": {"activations": "int8"}`. Documents of one store share it. Throws Error where no large tensor is of
// bytes.
std::shared_ptr<const WeightStore> with_rounded_rows(
    const std::shared_ptr<const WeightStore>& store);

}  // namespace attend
