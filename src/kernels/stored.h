// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/matmul.h"
#include "kernels/real.h"

namespace attend {

// How a store holds the numbers of a tensor: as bytes each is a whole number, to be multiplied by a scale.
enum class WeightType { f64, f32, f16, bf16, i8 };

std::size_t width_of(WeightType type);

namespace kernels {

// A matrix whose numbers lie as their file has them, row-major: element (i, j) is the number at that place, times
// scale[i * row_step + j * column_step] where there is a scale.
struct StoredMatrix {
  WeightType type;
  const std::byte* first;
  std::size_t rows, columns;
  const real* scale = nullptr;
  std::size_t row_step = 0, column_step = 0;
  // Of bytes: the sums of each row and of each column, where rows that meet them are rounded to whole numbers too.
  const std::int32_t *row_sums = nullptr, *column_sums = nullptr;
};

// `count` numbers of such a matrix from row-major place `from` on, as this build computes with them.
void unpack(const StoredMatrix& x, std::size_t from, std::size_t count, real* out);

// out[m n] = a[m k] b[k n], where b, or its transpose, is stored. More rows than one give the numbers that
// `matmul` gives for the unpacked matrix. For one row in float halves and bytes are multiplied as they are read: a
// scale multiplies the sum, or the row of a, so that the last bits may be others; the numbers do not depend on the
// vector width. With bytes the row becomes whole numbers, none of which is off by more than 2^-28 of the largest
// (kernels/fixed_row.h). A scale may differ by row or by column, not by both.
// Where the matrix has its sums, each number of a becomes one of 128 values from the smallest to the largest of its
// row, at most half a step away. The sums of whole numbers are exact; where a number lies in the middle of two values,
// a build that fuses multiply and add may take the other one.
void matmul_stored(Operand a, const StoredMatrix& b, bool transposed, real* out,
                   std::size_t out_stride, std::size_t m);

}  // namespace kernels
}  // namespace attend
