// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/lanes.h"
#include "kernels/norms.h"

// The functions of norms.h for one kind of vector each: they are compiled once more for AVX2. The same steps on every
// machine, so the same numbers.
namespace attend::kernels {

template <class Arch>
struct LoopsOfNorms {
  using Vector = xsimd::batch<real, Arch>;

  struct Row {
    real mean, deviation;
  };

  // The steps of the formula, in the order in which the graph's nodes compute them.
  static Row row_of(const real* x, std::size_t cols, real eps) {
    LaneSum<Vector> sum, squares;
    std::size_t j = 0;
    for (; j + lanes <= cols; j += lanes) sum.add(load_lanes<Vector>(x + j));
    sum.add_part(x + j, cols - j);
    const auto count = static_cast<real>(cols);
    const real mean = sum.total() / count;
    for (j = 0; j + lanes <= cols; j += lanes) {
      Lanes<Vector> v = load_lanes<Vector>(x + j);
      for (Vector& one : v) {
        one -= Vector(mean);
        one *= one;
      }
      squares.add(v);
    }
    std::array<real, lanes> rest{};
    for (std::size_t l = 0; j + l < cols; ++l) {
      const real centred = x[j + l] - mean;
      rest[l] = centred * centred;
    }
    squares.add_part(rest.data(), cols - j);
    return {mean, std::sqrt(squares.total() / count + eps)};
  }

  static void forward(const NormRows& n, const real* beta, real* out) {
    for (std::size_t i = 0; i < n.rows; ++i) {
      const real* const x = n.x + i * n.cols;
      real* const y = out + i * n.cols;
      const Row row = row_of(x, n.cols, n.eps);
      std::size_t j = 0;
      for (; j + Vector::size <= n.cols; j += Vector::size)
        ((Vector::load_unaligned(x + j) - Vector(row.mean)) / Vector(row.deviation) *
             Vector::load_unaligned(n.gamma + j) +
         Vector::load_unaligned(beta + j))
            .store_unaligned(y + j);
      for (; j < n.cols; ++j) y[j] = (x[j] - row.mean) / row.deviation * n.gamma[j] + beta[j];
    }
  }

  // With y = (x - mean) / deviation and h = slope * gamma:
  //   dx = (h - mean(h) - y mean(h y)) / deviation,  dgamma = sum of slope * y,  dbeta = sum of slope.
  static void backward(const NormRows& n, const real* slope, const NormSlopes& out) {
    std::fill_n(out.gamma, n.cols, real(0));
    std::fill_n(out.beta, n.cols, real(0));
    for (std::size_t i = 0; i < n.rows; ++i)
      backward_row(n, n.x + i * n.cols, slope + i * n.cols, out.x + i * n.cols, out);
  }

 private:
  // A vector of a row or, at its end, one number.
  template <class Value>
  struct At {
    Value y, h;

    At(Value x, Value slope, Value gamma, const Row& row, real inverse)
        : y((x - Value(row.mean)) * Value(inverse)), h(slope * gamma) {}
  };

  static void backward_row(const NormRows& n, const real* x, const real* slope, real* dx,
                           const NormSlopes& out) {
    const Row row = row_of(x, n.cols, n.eps);
    const real inverse = real(1) / row.deviation;
    const auto load = [](const real* from) { return Vector::load_unaligned(from); };
    const auto at = [&](std::size_t j) {
      return At<Vector>(load(x + j), load(slope + j), load(n.gamma + j), row, inverse);
    };
    const auto single = [&](std::size_t j) {
      return At<real>(x[j], slope[j], n.gamma[j], row, inverse);
    };
    LaneSum<Vector> plain, weighted;
    std::size_t j = 0;
    for (; j + lanes <= n.cols; j += lanes) {
      Lanes<Vector> h, hy;
      for (std::size_t b = 0; b < h.size(); ++b) {
        const std::size_t k = j + b * Vector::size;
        const At<Vector> one = at(k);
        h[b] = one.h;
        hy[b] = one.h * one.y;
        (load(out.gamma + k) + load(slope + k) * one.y).store_unaligned(out.gamma + k);
        (load(out.beta + k) + load(slope + k)).store_unaligned(out.beta + k);
      }
      plain.add(h);
      weighted.add(hy);
    }
    std::array<real, lanes> rest{}, rest_weighted{};
    for (std::size_t l = 0; j + l < n.cols; ++l) {
      const At<real> one = single(j + l);
      rest[l] = one.h;
      rest_weighted[l] = one.h * one.y;
      out.gamma[j + l] += slope[j + l] * one.y;
      out.beta[j + l] += slope[j + l];
    }
    plain.add_part(rest.data(), n.cols - j);
    weighted.add_part(rest_weighted.data(), n.cols - j);
    const auto count = static_cast<real>(n.cols);
    const real mean = plain.total() / count, along = weighted.total() / count;
    for (j = 0; j + Vector::size <= n.cols; j += Vector::size) {
      const At<Vector> one = at(j);
      ((one.h - Vector(mean) - one.y * Vector(along)) * Vector(inverse)).store_unaligned(dx + j);
    }
    for (; j < n.cols; ++j) {
      const At<real> one = single(j);
      dx[j] = (one.h - mean - one.y * along) * inverse;
    }
  }
};

}  // namespace attend::kernels
