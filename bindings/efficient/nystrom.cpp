// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "bindings/efficient/landmarks.h"
#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

using kernels::Batch;

// The inverse of a symmetric positive matrix in its place, by its triangular root X: M^-1 = X^-T X^-1. In double:
// kernels of landmarks that lie close are nearly singular. False, and nothing changed, where it has none.
bool invert(real* matrix, std::size_t s) {
  Buffer<double> room(2 * s * s);
  double *const X = room.data(), *const Y = X + s * s;
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * s + j];
      for (std::size_t k = 0; k < j; ++k) sum -= X[i * s + k] * X[j * s + k];
      if (i == j && !(sum > 0)) return false;
      X[i * s + j] = i == j ? std::sqrt(sum) : sum / X[j * s + j];
    }
  }
  std::fill_n(Y, s * s, 0.);
  for (std::size_t j = 0; j < s; ++j) {
    Y[j * s + j] = 1 / X[j * s + j];
    for (std::size_t i = j + 1; i < s; ++i) {
      for (std::size_t k = j; k < i; ++k) Y[i * s + j] -= X[i * s + k] * Y[k * s + j];
      Y[i * s + j] /= X[i * s + i];
    }
  }
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) {
      double sum = 0;
      for (std::size_t k = std::max(i, j); k < s; ++k) sum += Y[k * s + i] * Y[k * s + j];
      matrix[i * s + j] = static_cast<real>(sum);
    }
  }
  return true;
}

// One head: its landmarks, and kernels of rows with them.
class Head {
 public:
  Head(const Nystrom& x, std::size_t head)
      : x_(x), head_(head), landmarks_(x.s * (x.a.d + 1)), inverse_(x.s * x.s) {
    for (std::size_t l = 0; l < x.s; ++l) {
      const std::size_t at = x.landmarks[l];
      std::copy_n(at < x.a.m ? row_of(x.a.q, head, at) : row_of(x.a.k, head, at - x.a.m), x.a.d,
                  landmarks() + l * x.a.d);
      half_squares()[l] = half_square(landmarks() + l * x.a.d);
    }
    kernel({landmarks(), x.a.d, 0}, x.s, inverse());
    for (std::size_t l = 0; l < x.s; ++l) inverse()[l * x.s + l] += x.ridge;
    if (!invert(inverse(), x.s)) std::fill_n(inverse(), x.s * x.s, real(0));
  }

  // f [count s] = e^{-scale |row - landmark|^2 / 2}; a distance is never below 0.
  void kernel(Rows rows, std::size_t count, real* f) {
    const std::size_t s = x_.s;
    product({rows.data, rows.row, false}, {landmarks(), x_.a.d, true}, f, s, count, s, x_.a.d);
    const PowerOfTwo<Batch::arch_type> power;
    const Batch rate(x_.a.scale * log2_e);
    for (std::size_t i = 0; i < count; ++i) {
      const Batch own(half_square(rows.data + i * rows.row));
      real* const to = f + i * s;
      kernels::map(std::span<const real>(to, s), std::span<const real>(half_squares(), s),
                   std::span<real>(to, s), [&](Batch product, Batch half) {
                     return power(xsimd::min(product - own - half, Batch(0)) * rate);
                   });
    }
  }

  // From slopes of f [count s], which it overwrites: those of the rows, and what they add to the landmarks' [s d].
  void pull(Rows rows, std::size_t count, const real* f, real* slopes, Place to, bool adds,
            real* landmark_slopes) {
    const std::size_t s = x_.s, d = x_.a.d;
    for (std::size_t t = 0; t < count * s; ++t) slopes[t] *= f[t] * x_.a.scale;
    Buffer<real> room(std::max(count, s) * d);
    product({slopes, s, false}, {landmarks(), d, false}, room.data(), d, count, d, s);
    for (std::size_t i = 0; i < count; ++i) {
      real total = 0;
      for (std::size_t l = 0; l < s; ++l) total += slopes[i * s + l];
      real* const at = to.data + i * to.row;
      if (!adds) std::fill_n(at, d, real(0));
      add_row(room.data() + i * d, 1, at, d);
      add_row(rows.data + i * rows.row, -total, at, d);
    }
    product({slopes, s, true}, {rows.data, rows.row, false}, room.data(), d, s, d, count);
    for (std::size_t l = 0; l < s; ++l) {
      real total = 0;
      for (std::size_t i = 0; i < count; ++i) total += slopes[i * s + l];
      add_row(room.data() + l * d, 1, landmark_slopes + l * d, d);
      add_row(landmarks() + l * d, -total, landmark_slopes + l * d, d);
    }
  }

  // (c(L, L) + ridge I)^-1 x, x [s dv].
  void solve(const real* x, real* to) {
    product({inverse(), x_.s, false}, {x, x_.a.dv, false}, to, x_.a.dv, x_.s, x_.a.dv, x_.s);
  }
  // sum over rows of f_i^T x_i [s dv].
  void sum(Rows keys, Rows values, std::size_t count, real* f, real* to) {
    FeatureSums sums(x_.s, x_.a.dv);
    for (std::size_t j = 0; j < count; j += block_rows) {
      const std::size_t rows = std::min(block_rows, count - j);
      kernel({row_of(keys, head_, j), keys.row, 0}, rows, f);
      sums.add_products(f, {row_of(values, head_, j), values.row, 0}, rows);
    }
    std::copy_n(sums.products(), x_.s * x_.a.dv, to);
  }
  real* landmarks() { return landmarks_.data(); }

 private:
  real* inverse() { return inverse_.data(); }
  real* half_squares() { return landmarks() + x_.s * x_.a.d; }
  [[nodiscard]] real half_square(const real* row) const { return dot(row, row, x_.a.d) / 2; }

  const Nystrom& x_;
  std::size_t head_;
  Buffer<real> landmarks_, inverse_;  // [s d] and half their squares; [s s]
};

}  // namespace

void attend_nystrom(const Nystrom& x, Place out) {
  const std::size_t size = x.s * x.a.dv;
  Buffer<real> room(block_rows * x.s + 2 * size);
  real *const f = room.data(), *const sums = f + block_rows * x.s, *const solved = sums + size;
  for (std::size_t h = 0; h < x.a.heads; ++h) {
    Head head(x, h);
    head.sum(x.a.k, x.a.v, x.a.n, f, sums);
    head.solve(sums, solved);
    for (std::size_t i = 0; i < x.a.m; i += block_rows) {
      const std::size_t count = std::min(block_rows, x.a.m - i);
      head.kernel({row_of(x.a.q, h, i), x.a.q.row, 0}, count, f);
      product({f, x.s, false}, {solved, x.a.dv, false}, row_of(out, h, i), out.row, count, x.a.dv,
              x.s);
    }
  }
}

// With G = c(L, K) V, X = M G and C = c(Q, L) X: dX = c(Q, L)^T dC, dG = M dX (M is symmetric), and of what was
// inverted -dG X^T.
void attend_nystrom_backward(const Nystrom& x, Rows out_gradient, const Gradients& gradients) {
  const std::size_t s = x.s, d = x.a.d, dv = x.a.dv, size = s * dv, block = std::max(block_rows, s);
  Buffer<real> room(2 * block * s + 4 * size + s * d);
  real *const f = room.data(), *const df = f + block * s, *const g = df + block * s,
              *const solved = g + size, *const slope = solved + size, *const dg = slope + size,
              *const landmarks = dg + size;
  for (std::size_t h = 0; h < x.a.heads; ++h) {
    Head head(x, h);
    std::fill_n(landmarks, s * d, real(0));
    head.sum(x.a.k, x.a.v, x.a.n, f, g);
    head.solve(g, solved);
    head.sum(x.a.q, out_gradient, x.a.m, f, slope);
    head.solve(slope, dg);
    // Rows of queries or keys: df = left right^T, left their slopes of C or values.
    const auto pull = [&](Rows rows, std::size_t count, Rows left, const real* right, Place to) {
      for (std::size_t i = 0; i < count; i += block_rows) {
        const std::size_t mine = std::min(block_rows, count - i);
        const Rows own{row_of(rows, h, i), rows.row, 0};
        head.kernel(own, mine, f);
        product({row_of(left, h, i), left.row, false}, {right, dv, true}, df, s, mine, s, dv);
        head.pull(own, mine, f, df, {row_of(to, h, i), to.row, 0}, false, landmarks);
      }
    };
    pull(x.a.q, x.a.m, out_gradient, solved, gradients.q);
    pull(x.a.k, x.a.n, x.a.v, dg, gradients.k);
    for (std::size_t j = 0; j < x.a.n; j += block_rows) {
      const std::size_t mine = std::min(block_rows, x.a.n - j);
      head.kernel({row_of(x.a.k, h, j), x.a.k.row, 0}, mine, f);
      product({f, s, false}, {dg, dv, false}, row_of(gradients.v, h, j), gradients.v.row, mine, dv,
              s);
    }
    // The landmarks among themselves: both sides of the kernel are theirs.
    const Rows own{head.landmarks(), d, 0};
    Buffer<real> again(s * d);
    head.kernel(own, s, f);
    product({dg, dv, false}, {solved, dv, true}, df, s, s, s, dv);
    for (std::size_t t = 0; t < s * s; ++t) df[t] = -df[t];
    head.pull(own, s, f, df, {again.data(), d, 0}, false, landmarks);
    add_row(again.data(), 1, landmarks, s * d);
    for (std::size_t l = 0; l < s; ++l) {
      const std::size_t at = x.landmarks[l];
      add_row(landmarks + l * d, 1,
              at < x.a.m ? row_of(gradients.q, h, at) : row_of(gradients.k, h, at - x.a.m), d);
    }
  }
}

}  // namespace attend::fused
