// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "kernels/exponent.h"
#include "kernels/lanes.h"
#include "kernels/rows.h"

namespace attend::kernels {
namespace {

constexpr real none = -std::numeric_limits<real>::infinity();

// x where the mask keeps it, -infinity elsewhere.
void keep(const real* x, const real* mask, real* out, std::size_t cols) {
  std::size_t j = 0;
  for (; j + batch_size <= cols; j += batch_size) {
    const Batch v = Batch::load_unaligned(x + j);
    xsimd::select(Batch::load_unaligned(mask + j) == Batch(0), Batch(none), v)
        .store_unaligned(out + j);
  }
  for (; j < cols; ++j) out[j] = mask[j] == 0 ? none : x[j];
}

// out = exp(x - most) over one row, and the sum of it.
real exponentials(const real* x, real most, real* out, std::size_t cols) {
  LaneSum sum;
  const Exponential<xsimd::default_arch> exponential;
  const auto shifted = [&exponential, most = Batch(most)](Lanes v) {
    for (Batch& b : v) b = exponential.below_zero(b - most);
    return v;
  };
  std::size_t j = 0;
  for (; j + lanes <= cols; j += lanes) {
    const Lanes e = shifted(load_lanes(x + j));
    sum.add(e);
    store_lanes(e, out + j);
  }
  if (j < cols) {
    std::array<real, lanes> part;
    store_lanes(shifted(load_lanes(x + j, cols - j, none)), part.data());
    sum.add_part(part.data(), cols - j);
    std::copy_n(part.begin(), cols - j, out + j);
  }
  return sum.total();
}

void divide_row(real* row, real by, std::size_t cols) {
  map({row, cols}, {row, cols}, [by = Batch(by)](Batch v) { return v / by; });
}

}  // namespace

void softmax_rows(const real* x, const real* mask, std::size_t mask_row_stride, real* out,
                  std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    const real* from = x + i * cols;
    real* row = out + i * cols;
    const real* kept = mask == nullptr ? nullptr : mask + i * mask_row_stride;
    if (kept != nullptr) {
      keep(from, kept, row, cols);
      from = row;
    }
    const real most = largest(from, cols);
    if (most == none) {
      std::fill_n(row, cols, real(0));
      continue;
    }
    divide_row(row, exponentials(from, most, row, cols), cols);
    // A NaN in the sum reaches excluded entries too: 0 / NaN.
    if (kept != nullptr && !(most < -none)) {
      for (std::size_t j = 0; j < cols; ++j) row[j] = kept[j] == 0 ? real(0) : row[j];
    }
  }
}

}  // namespace attend::kernels
