// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"
#include "kernels/terms.h"

namespace attend::kernels {

// A row-major matrix in memory, rows `stride` elements apart. `transposed`: what is stored is the
// transpose of the operand, so that element (i, j) of the operand lies at data[j * stride + i].
struct Operand {
  const real* data;
  std::size_t stride;
  bool transposed;
};

// out[m n] = a[m k] b[k n]: out_ij = sum over p of a_ip b_pj. `out` is overwritten and must overlap neither operand.
// Every element is one chain that starts at 0 and adds its products in ascending p, whatever the sizes and layouts: the
// same numbers come back from any blocking and any vector width, as long as neither the build nor `terms` fuses
// products with sums. Two exceptions, for one row (m = 1). A contiguous row times the transpose of 2^14 numbers or more
// is sixteen such chains over every sixteenth product, added in their order, and then the products that are left. A row
// times a matrix of 2^18 numbers or more, stored with contiguous rows and not 64 columns wide, is one chain. It takes a
// product of each quarter of the row in turns, then the products that are left. So does its transpose times a column.
// Zeros are not skipped, so NaN and infinity spread as in IEEE arithmetic. m = 0 or n = 0 touches nothing, k = 0 gives
// zeros; elements of `out` between n and out_stride stay as they are.
void matmul(Operand a, Operand b, real* out, std::size_t out_stride, std::size_t m, std::size_t n,
            std::size_t k, Terms terms = Terms::apart);

// Whether this build of the kernels rounds a product and its sum once, not twice.
bool fuses_multiply_add();

// `count` independent products. Product t reads a.data + t * a_step and b.data + t * b_step and
// writes out + t * out_step; a step of 0 shares that operand. The results may not overlap each
// other or an operand.
void matmul_batch(Operand a, std::size_t a_step, Operand b, std::size_t b_step, real* out,
                  std::size_t out_stride, std::size_t out_step, std::size_t count, std::size_t m,
                  std::size_t n, std::size_t k, Terms terms = Terms::apart);

}  // namespace attend::kernels
