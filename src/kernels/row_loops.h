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

  // One row; `mask` is that of the row.
  static void softmax_row(const Exponential<Arch>& exponential, const real* x, const real* mask,
                          real* row, std::size_t cols) {
    if (mask != nullptr) {
      keep(x, mask, row, cols);
      x = row;
    }
    const real most = largest<Vector>(x, cols);
    if (most == none) {
      std::fill_n(row, cols, real(0));
      return;
    }
    const Vector total(exponentials(exponential, x, most, row, cols));
    map<Vector>({row, cols}, {row, cols}, [total](Vector v) { return v / total; });
    // A NaN in the sum reaches excluded entries too: 0 / NaN.
    if (mask != nullptr && !(most < -none)) {
      for (std::size_t j = 0; j < cols; ++j) row[j] = mask[j] == 0 ? real(0) : row[j];
    }
  }

  // A vector's size of rows of `lanes` numbers each. Turned, a vector holds a column of all these rows, so that nothing
  // has to be joined across its lanes. The numbers are those of each row alone. Returns false, and writes nothing, if a
  // row keeps nothing or has a largest number that is not finite.
  static constexpr std::size_t turned = Vector::size;
  static bool softmax_turned(const Exponential<Arch>& exponential, const real* x, const real* mask,
                             std::size_t mask_row_stride, real* out) {
    std::array<Vector, lanes> column;
    for (std::size_t c = 0; c < lanes; c += turned) {
      for (std::size_t i = 0; i < turned; ++i) {
        Vector& v = column[c + i] = Vector::load_unaligned(x + i * lanes + c);
        if (mask == nullptr) continue;
        const Vector kept = Vector::load_unaligned(mask + i * mask_row_stride + c);
        v = xsimd::select(kept == Vector(0), Vector(none), v);
      }
      xsimd::transpose(&column[c], &column[c] + turned);
    }
    Vector most = column[0];
    for (std::size_t j = 1; j < lanes; ++j) most = larger(most, column[j]);
    if (!xsimd::all((most > Vector(none)) & (most < Vector(-none)))) return false;
    for (Vector& v : column) v = exponential.below_zero(v - most);
    // As LaneSum adds them.
    const Vector total = ((column[0] + column[4]) + (column[2] + column[6])) +
                         ((column[1] + column[5]) + (column[3] + column[7]));
    for (Vector& v : column) v = v / total;
    for (std::size_t c = 0; c < lanes; c += turned) {
      xsimd::transpose(&column[c], &column[c] + turned);
      for (std::size_t i = 0; i < turned; ++i) column[c + i].store_unaligned(out + i * lanes + c);
    }
    return true;
  }

  static void softmax(const real* x, const real* mask, std::size_t mask_row_stride, real* out,
                      std::size_t rows, std::size_t cols) {
    const Exponential<Arch> exponential;
    const auto mask_of = [&](std::size_t i) {
      return mask == nullptr ? nullptr : mask + i * mask_row_stride;
    };
    std::size_t i = 0;
    while (i < rows) {
      std::size_t end = i + 1;
      if constexpr (std::is_same_v<real, float>) {
        if (cols == lanes && i + turned <= rows) {
          end = i + turned;
          if (softmax_turned(exponential, x + i * cols, mask_of(i), mask_row_stride,
                             out + i * cols))
            i = end;
        }
      }
      for (; i < end; ++i) softmax_row(exponential, x + i * cols, mask_of(i), out + i * cols, cols);
    }
  }
};

}  // namespace attend::kernels
