// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"

namespace attend::kernels {

// out[n n] = a[n n]^-1, both dense and row-major, by LU with full pivoting. Returns false, and
// leaves `out` as it was, when a is singular to working precision or holds NaN or infinity. `out`
// may be `a`. n = 0 is true and does nothing.
bool inverse(const real* a, real* out, std::size_t n);

// For each of `count` symmetric matrices a [n n], of which what is on and below the diagonal is read: out [rows n]
// solves out A = b [rows n]. By the triangular factor of A where A is positive, else by its inverse. Returns false when
// a matrix is singular to working precision or holds NaN or infinity; out is then of no use. `out` overlaps no operand.
bool solve_symmetric(const real* a, const real* b, real* out, std::size_t count, std::size_t n,
                     std::size_t rows);

}  // namespace attend::kernels
