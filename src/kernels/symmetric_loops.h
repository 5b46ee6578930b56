// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "kernels/vector.h"

// Equations with symmetric positive matrices, one matrix in each lane of a vector: a factor L with L L^T = A has long
// chains of steps that wait for each other, and several matrices wait side by side. Compiled once more for AVX2 and
// AVX-512.
namespace attend::kernels {

// Solves x A = b for as many matrices a [n n] as a vector has lanes, each with `rows` right sides b [rows n], of which
// what is on and below the diagonal is read. `count` of them are there; they follow each other, as do b and out.
// `room` holds room_for_symmetric(n) numbers. Lanes whose matrix is not clearly positive get 0 in `good`, and their
// `out` is not to be used.
using SymmetricLanes = void (*)(const real* a, const real* b, real* out, std::size_t count,
                                std::size_t n, std::size_t rows, real* room, bool* good);

struct SymmetricLoops {
  SymmetricLanes solve;
  std::size_t lanes;
};
SymmetricLoops symmetric_with_avx2();
SymmetricLoops symmetric_with_avx512();

// Enough for the widest vector: L by rows, the reciprocals of its diagonal, a right side.
constexpr std::size_t widest = 16;
constexpr std::size_t room_for_symmetric(std::size_t n) {
  return widest * (n * (n + 1) / 2 + 2 * n);
}

template <class Arch>
class LanesOfSymmetric {
 public:
  static SymmetricLoops all() { return {solve, lanes}; }

 private:
  using Vector = xsimd::batch<real, Arch>;
  static constexpr std::size_t lanes = Vector::size;
  static_assert(lanes <= widest);

  const real* a_;
  std::size_t count_, n_;
  real *factor_, *reciprocals_, *side_;

  LanesOfSymmetric(const real* a, std::size_t count, std::size_t n, real* room)
      : a_(a),
        count_(count),
        n_(n),
        factor_(room),
        reciprocals_(room + lanes * n * (n + 1) / 2),
        side_(reciprocals_ + lanes * n) {}

  static void solve(const real* a, const real* b, real* out, std::size_t count, std::size_t n,
                    std::size_t rows, real* room, bool* good) {
    LanesOfSymmetric matrices(a, count, n, room);
    matrices.factorise(good);
    for (std::size_t r = 0; r < rows; ++r) matrices.solve_row(b + r * n, out + r * n, rows * n);
  }

  // Row i of L, element k.
  [[nodiscard]] real* at(std::size_t i, std::size_t k) const {
    return factor_ + lanes * (i * (i + 1) / 2 + k);
  }
  // Lanes without a matrix of their own compute with the last one.
  [[nodiscard]] std::size_t matrix(std::size_t lane) const { return std::min(lane, count_ - 1); }

  // A square of numbers of each row at a time. What it has beyond the diagonal is overwritten by the next row.
  void fill() {
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t k = 0;
      for (; k <= i && k + lanes <= n_; k += lanes) {
        std::array<Vector, lanes> square;
        for (std::size_t lane = 0; lane < lanes; ++lane)
          square[lane] = Vector::load_unaligned(row_of(lane, i) + k);
        xsimd::transpose(square.data(), square.data() + lanes);
        for (std::size_t c = 0; c < lanes; ++c) square[c].store_unaligned(at(i, k + c));
      }
      for (; k <= i; ++k) {
        for (std::size_t lane = 0; lane < lanes; ++lane) at(i, k)[lane] = row_of(lane, i)[k];
      }
    }
  }
  [[nodiscard]] const real* row_of(std::size_t lane, std::size_t i) const {
    return a_ + (matrix(lane) * n_ + i) * n_;
  }

  // Column j of `Rows` rows from i on becomes that of L, and with it column j + 1.
  template <std::size_t Rows, std::size_t Columns>
  void columns(std::size_t i, std::size_t j) {
    std::array<std::array<Vector, Columns>, Rows> left;
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t c = 0; c < Columns; ++c)
        left[r][c] = Vector::load_unaligned(at(i + r, j + c));
    }
    for (std::size_t k = 0; k < j; ++k) {
      std::array<Vector, Columns> above;
      for (std::size_t c = 0; c < Columns; ++c) above[c] = Vector::load_unaligned(at(j + c, k));
      for (std::size_t r = 0; r < Rows; ++r) {
        const Vector own = Vector::load_unaligned(at(i + r, k));
        for (std::size_t c = 0; c < Columns; ++c) left[r][c] -= own * above[c];
      }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t c = 0; c < Columns; ++c) {
        for (std::size_t before = 0; before < c; ++before)
          left[r][c] -= left[r][before] * Vector::load_unaligned(at(j + c, j + before));
        left[r][c] *= reciprocal(j + c);
        left[r][c].store_unaligned(at(i + r, j + c));
      }
    }
  }

  [[nodiscard]] Vector reciprocal(std::size_t j) const {
    return Vector::load_unaligned(reciprocals_ + j * lanes);
  }

  void factorise(bool* good) {
    fill();
    for (std::size_t lane = 0; lane < count_; ++lane) good[lane] = true;
    for (std::size_t j = 0; j < n_; j += 2) {
      const std::size_t stop = std::min(j + 2, n_);
      for (std::size_t i = j; i < stop; ++i) pivot(i, j, good);
      std::size_t i = stop;
      for (; i + 4 <= n_; i += 4) columns<4, 2>(i, j);
      for (; i < n_; ++i) columns<1, 2>(i, j);
    }
  }

  // Row i up to its diagonal, from column j on. What is left there of the diagonal has to outweigh what rounding may
  // have left.
  void pivot(std::size_t i, std::size_t j, bool* good) {
    if (i > j) {
      const Vector left = Vector::load_unaligned(at(i, j)) - dot(at(i, 0), at(j, 0), j);
      (left * reciprocal(j)).store_unaligned(at(i, j));
    }
    const Vector before = Vector::load_unaligned(at(i, i));
    const Vector left = before - dot(at(i, 0), at(i, 0), i);
    const Vector least =
        before * (std::numeric_limits<real>::epsilon() * static_cast<real>(8 * n_));
    std::array<real, lanes> found, needed;
    left.store_unaligned(found.data());
    least.store_unaligned(needed.data());
    for (std::size_t lane = 0; lane < count_; ++lane) {
      // Comparisons with NaN are false.
      if (!(found[lane] > needed[lane] && found[lane] < std::numeric_limits<real>::infinity()))
        good[lane] = false;
    }
    (Vector(1) / xsimd::sqrt(left)).store_unaligned(reciprocals_ + i * lanes);
  }

  // The sum of x_k y_k in every lane. Four sums do not wait for each other.
  static Vector dot(const real* x, const real* y, std::size_t count) {
    std::array<Vector, 4> sums;
    sums.fill(Vector(0));
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
      for (std::size_t s = 0; s < 4; ++s)
        sums[s] += Vector::load_unaligned(x + (k + s) * lanes) *
                   Vector::load_unaligned(y + (k + s) * lanes);
    }
    for (; k < count; ++k)
      sums[0] += Vector::load_unaligned(x + k * lanes) * Vector::load_unaligned(y + k * lanes);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // y L^T = b, then x L = y.
  void solve_row(const real* b, real* out, std::size_t stride) {
    for (std::size_t i = 0; i < n_; ++i) {
      std::array<real, lanes> given;
      for (std::size_t lane = 0; lane < lanes; ++lane) given[lane] = b[matrix(lane) * stride + i];
      const Vector left = Vector::load_unaligned(given.data()) - dot(at(i, 0), side_, i);
      (left * reciprocal(i)).store_unaligned(side_ + i * lanes);
    }
    for (std::size_t i = n_; i-- > 0;) {
      const Vector x = Vector::load_unaligned(side_ + i * lanes) * reciprocal(i);
      x.store_unaligned(side_ + i * lanes);
      for (std::size_t k = 0; k < i; ++k)
        (Vector::load_unaligned(side_ + k * lanes) - Vector::load_unaligned(at(i, k)) * x)
            .store_unaligned(side_ + k * lanes);
    }
    for (std::size_t lane = 0; lane < count_; ++lane) {
      for (std::size_t i = 0; i < n_; ++i) out[lane * stride + i] = side_[i * lanes + lane];
    }
  }
};

}  // namespace attend::kernels
