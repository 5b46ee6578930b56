// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernels/real.h"

namespace attend::kernels {

// Whether no number is NaN or infinite.
bool all_finite(std::span<const real> x);

}  // namespace attend::kernels
