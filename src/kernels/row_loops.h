// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/exponent.h"
#include "kernels/lanes.h"

// Those functions of rows.h that a model spends its time in, for one kind of vector each: they are compiled once more
// for AVX2. The same steps on every machine, so the same numbers.
namespace attend::kernels {

struct RowLoops {
  void (*sum)(const real* x, real* out, std::size_t rows, std::size_t cols);
  void (*softmax)(const real* x, const real* mask, std::size_t mask_row_stride, real* out,
                  std::size_t rows, std::size_t cols);
  void (*sum_columns)(const real* x, real* out, std::size_t rows, std::size_t cols);
  // out_j = x . row_j, from the last row to the first; behind each, x = x * by_j, cell by cell.
  void (*fading_dots)(real* x, const real* rows, const real* by, real* out, std::size_t count,
                      std::size_t cols);
  // sum = sum * by + weight * x, cell by cell.
  void (*fade)(real* sum, const real* by, real weight, const real* x, std::size_t cols);
  // sum = sum + weight * x.
  void (*append)(real* sum, real weight, const real* x, std::size_t cols);
};

// For the machine at hand.
const RowLoops& row_loops();
// Only where ATTEND_AVX2 is defined, for machines that have it.
RowLoops rows_with_avx2();

template <class Arch>
struct LoopsOfRows {
  using Vector = xsimd::batch<real, Arch>;
  static constexpr real none = -std::numeric_limits<real>::infinity();

  static void sum(const real* x, real* out, std::size_t rows, std::size_t cols) {
    for (std::size_t i = 0; i < rows; ++i) {
      const real* row = x + i * cols;
      LaneSum<Vector> sum;
      std::size_t j = 0;
      for (; j + lanes <= cols; j += lanes) sum.add(load_lanes<Vector>(row + j));
      sum.add_part(row + j, cols - j);
      out[i] = sum.total();
    }
  }

  // The sums of some columns stay in registers while the rows pass by.
  static void sum_columns(const real* x, real* out, std::size_t rows, std::size_t cols) {
    constexpr std::size_t at_once = 4, width = at_once * Vector::size;
    std::size_t j = 0;
    for (; j + width <= cols; j += width) {
      std::array<Vector, at_once> sums;
      sums.fill(Vector(0));
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t v = 0; v < at_once; ++v)
          sums[v] += Vector::load_unaligned(x + i * cols + j + v * Vector::size);
      }
      for (std::size_t v = 0; v < at_once; ++v) sums[v].store_unaligned(out + j + v * Vector::size);
    }
    if (j == cols) return;
    std::fill(out + j, out + cols, real(0));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t l = j; l < cols; ++l) out[l] += x[i * cols + l];
    }
  }

  // The same steps for a vector and for the rest of a row, filled up with zeros.
  static void fading_dots(real* x, const real* rows, const real* by, real* out, std::size_t count,
                          std::size_t cols) {
    for (std::size_t j = count; j-- > 0;) {
      const real *const row = rows + j * cols, *const decay = by + j * cols;
      LaneSum<Vector> sum;
      std::size_t c = 0;
      for (; c + lanes <= cols; c += lanes) {
        Lanes<Vector> left = load_lanes<Vector>(x + c), other = load_lanes<Vector>(row + c);
        const Lanes<Vector> fades = load_lanes<Vector>(decay + c);
        for (std::size_t l = 0; l < left.size(); ++l) {
          other[l] *= left[l];
          left[l] *= fades[l];
        }
        sum.add(other);
        store_lanes(left, x + c);
      }
      std::array<real, lanes> rest{};
      for (std::size_t l = 0; c + l < cols; ++l) {
        rest[l] = x[c + l] * row[c + l];
        x[c + l] *= decay[c + l];
      }
      if (c < cols) sum.add_part(rest.data(), cols - c);
      out[j] = sum.total();
    }
  }

  static void fade(real* sum, const real* by, real weight, const real* x, std::size_t cols) {
    const Vector all(weight);
    std::size_t j = 0;
    for (; j + Vector::size <= cols; j += Vector::size) {
      (Vector::load_unaligned(sum + j) * Vector::load_unaligned(by + j) +
       all * Vector::load_unaligned(x + j))
          .store_unaligned(sum + j);
    }
    for (; j < cols; ++j) sum[j] = sum[j] * by[j] + weight * x[j];
  }

  static void append(real* sum, real weight, const real* x, std::size_t cols) {
    const Vector all(weight);
    std::size_t j = 0;
    for (; j + Vector::size <= cols; j += Vector::size) {
      (Vector::load_unaligned(sum + j) + all * Vector::load_unaligned(x + j))
          .store_unaligned(sum + j);
    }
    for (; j < cols; ++j) sum[j] += weight * x[j];
  }

  static RowLoops all() { return {sum, softmax, sum_columns, fading_dots, fade, append}; }

  // x where the mask keeps it, -infinity elsewhere.
  static void keep(const real* x, const real* mask, real* out, std::size_t cols) {
    std::size_t j = 0;
    for (; j + Vector::size <= cols; j += Vector::size) {
      const Vector v = Vector::load_unaligned(x + j);
      xsimd::select(Vector::load_unaligned(mask + j) == Vector(0), Vector(none), v)
          .store_unaligned(out + j);
    }
    for (; j < cols; ++j) out[j] = mask[j] == 0 ? none : x[j];
  }

  // out = exp(x - most) over one row, and the sum of it.
  static real exponentials(const Exponential<Arch>& exponential, const real* x, real most,
                           real* out, std::size_t cols) {
    LaneSum<Vector> sum;
    const auto shifted = [&exponential, most = Vector(most)](Lanes<Vector> v) {
      for (Vector& b : v) b = exponential.below_zero(b - most);
      return v;
    };
    std::size_t j = 0;
    for (; j + lanes <= cols; j += lanes) {
      const Lanes<Vector> e = shifted(load_lanes<Vector>(x + j));
      sum.add(e);
      store_lanes(e, out + j);
    }
    if (j < cols) {
      std::array<real, lanes> part;
      store_lanes(shifted(load_lanes<Vector>(x + j, cols - j, none)), part.data());
      sum.add_part(part.data(), cols - j);
      std::copy_n(part.begin(), cols - j, out + j);
    }
    return sum.total();
  }

  static void softmax(const real* x, const real* mask, std::size_t mask_row_stride, real* out,
                      std::size_t rows, std::size_t cols) {
    const Exponential<Arch> exponential;
    for (std::size_t i = 0; i < rows; ++i) {
      const real* from = x + i * cols;
      real* row = out + i * cols;
      const real* kept = mask == nullptr ? nullptr : mask + i * mask_row_stride;
      if (kept != nullptr) {
        keep(from, kept, row, cols);
        from = row;
      }
      const real most = largest<Vector>(from, cols);
      if (most == none) {
        std::fill_n(row, cols, real(0));
        continue;
      }
      const Vector total(exponentials(exponential, from, most, row, cols));
      map<Vector>({row, cols}, {row, cols}, [total](Vector v) { return v / total; });
      // A NaN in the sum reaches excluded entries too: 0 / NaN.
      if (kept != nullptr && !(most < -none)) {
        for (std::size_t j = 0; j < cols; ++j) row[j] = kept[j] == 0 ? real(0) : row[j];
      }
    }
  }
};

}  // namespace attend::kernels
