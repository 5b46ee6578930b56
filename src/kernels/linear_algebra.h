// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"

namespace attend::kernels {

// out[n n] = a[n n]^-1, both dense and row-major, by LU with full pivoting. Returns false, and
// leaves `out` as it was, when a is singular to working precision or holds NaN or infinity. `out`
// may be `a`. n = 0 is true and does nothing.
bool inverse(const real* a, real* out, std::size_t n);

}  // namespace attend::kernels
