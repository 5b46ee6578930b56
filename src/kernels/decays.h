// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"

// What decays leave between the rows of one block. Row t of `decays` [count width] is what every feature keeps at t;
// between j and a later i are all decays of the rows j+1 .. i-1, and D_ij stands for their product, by feature. It is
// always a product and never a quotient: a decay may be 0. Matrices are dense and row-major, and a result overlaps no
// operand.
namespace attend::kernels {

struct Decays {
  const real* rows;
  std::size_t count, width;
};

// out [count count]: out_ij = sum over features of x_i y_j D_ij for j < i, and 0 elsewhere; x, y [count width].
void decayed_pairs(Decays decays, const real* x, const real* y, real* out);

// out [count width]: out_i = sum over j < i of w_ij y_j D_ij; w [count count], y [count width].
void decayed_sums(Decays decays, const real* w, const real* y, real* out);
// The same from the other side: out_j = sum over i > j of w_ij x_i D_ij.
void decayed_sums_back(Decays decays, const real* w, const real* x, real* out);

// The slope of the sum of all w_ij x_i y_j D_ij by each decay: out [count width].
void decay_slopes(Decays decays, const real* w, const real* x, const real* y, real* out);

// out [count width] solves (1 + A) out = b, A what is below the diagonal of a [count count]; `transposed`: of 1 + A^T.
void solve_triangle(const real* a, const real* b, real* out, std::size_t count, std::size_t width,
                    bool transposed);

}  // namespace attend::kernels
