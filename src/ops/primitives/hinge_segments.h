// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/scratch.h"
#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/text.h"

// What `hinges` and its gradient share. A network of hinges of one number,
//   f_h(u) = sum_a max(0, u w_a + b_a) v_ah + c_h,
// is linear between the points where hinges begin or end.
namespace attend::hinge_network {

// Operands u [..], w [1 a], b [a], v [a h] and c [h].
inline void check(const std::vector<Shape>& in) {
  const Shape &w = in[1], &b = in[2], &v = in[3], &c = in[4];
  if (b.size() == 1 && v.size() == 2 && w == Shape{1, b[0]} && v[0] == b[0] && c == Shape{v[1]})
    return;
  refuse(
      "hinges need a slope and a start for each unit and a weight for each unit and result; found shapes " +
      to_text(w) + ", " + to_text(b) + ", " + to_text(v) + " and " + to_text(c));
}

class Segments {
 public:
  const std::size_t units, results;
  std::size_t turns = 0;  // units that have a slope: each begins or ends somewhere
  bool finite = true;     // all parameters; otherwise there are no segments

  // The network that a node reads.
  explicit Segments(const Forward& f)
      : units(f.in_shapes[3]->front()),
        results(f.in_shapes[3]->back()),
        order_(units),
        point_(units),
        points_(std::bit_ceil(units + 1) - 1),
        slopes_((units + 1) * results),
        starts_((units + 1) * results),
        sums_(2 * results),
        begun_((units + 1) * 2 * results) {
    for (std::size_t k = 1; k < 5 && finite; ++k)
      finite = std::all_of(f.in[k], f.in[k] + element_count(*f.in_shapes[k]),
                           [](real x) { return std::isfinite(x); });
    if (finite) find(f.in[1], f.in[2], f.in[3], f.in[4]);
  }

  // The segment that a number is in: how many points are not above it.
  [[nodiscard]] std::size_t of(real u) const {
    std::size_t at = 0;
    for (std::size_t step = (points_.size() + 1) / 2; step > 0; step /= 2)
      at += points_.data()[at + step - 1] <= u ? step : 0;
    return at;
  }
  // In a segment f_h(u) = slope u + start.
  [[nodiscard]] const real* slopes(std::size_t segment) const {
    return slopes_.data() + segment * results;
  }
  [[nodiscard]] const real* starts(std::size_t segment) const {
    return starts_.data() + segment * results;
  }
  // The unit whose point is behind segment k.
  [[nodiscard]] std::size_t unit(std::size_t k) const { return order_.data()[k]; }

 private:
  // Room that is kept for the next call.
  template <class T>
  class Room {
   public:
    explicit Room(std::size_t size) : room_(size), data_(room_.data()), size_(size) {}
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

   private:
    kernels::Scratch<T> room_;
    T* data_;
    std::size_t size_;
  };

  void find(const real* w, const real* b, const real* v, const real* c) {
    double* const sum = sums_.data();  // slopes, then starts
    const auto clear = [&] { std::fill_n(sum, 2 * results, 0.); };
    const auto add = [&](std::size_t a) {
      for (std::size_t h = 0; h < results; ++h) {
        sum[h] += double{w[a]} * v[a * results + h];
        sum[results + h] += double{b[a]} * v[a * results + h];
      }
    };
    clear();
    for (std::size_t h = 0; h < results; ++h) sum[results + h] = c[h];
    real* const point = point_.data();
    for (std::size_t a = 0; a < units; ++a) {
      if (w[a] == 0) {
        if (b[a] > 0) add(a);
        continue;
      }
      // At its point a unit is 0 and has no slope: it begins behind it, or ends at it.
      point[a] = -b[a] / w[a];
      if (w[a] > 0) point[a] = std::nextafter(point[a], std::numeric_limits<real>::infinity());
      order_.data()[turns++] = a;
    }
    std::sort(order_.data(), order_.data() + turns, [&](std::size_t x, std::size_t y) {
      return point[x] < point[y] || (point[x] == point[y] && x < y);
    });
    // No number is above NaN.
    std::fill_n(points_.data(), points_.size(), std::numeric_limits<real>::quiet_NaN());
    for (std::size_t k = 0; k < turns; ++k) points_.data()[k] = point[unit(k)];
    // Nothing is taken away again, because the rest of a large number would be lost with it: units that begin are added
    // from the left, and those that end from the right.
    double* const left = begun_.data();
    for (std::size_t segment = 0;; ++segment) {
      std::copy_n(sum, 2 * results, left + segment * 2 * results);
      if (segment == turns) break;
      if (w[unit(segment)] > 0) add(unit(segment));
    }
    clear();
    for (std::size_t segment = turns;; --segment) {
      for (std::size_t h = 0; h < results; ++h) {
        const double* const begun = left + segment * 2 * results;
        slopes_.data()[segment * results + h] = static_cast<real>(begun[h] + sum[h]);
        starts_.data()[segment * results + h] =
            static_cast<real>(begun[results + h] + sum[results + h]);
      }
      if (segment == 0) break;
      if (w[unit(segment - 1)] < 0) add(unit(segment - 1));
    }
  }

  Room<std::size_t> order_;  // units with a slope, by their points
  Room<real> point_;         // of each unit, from which on it is in another state
  Room<real> points_;        // in order; padded
  Room<real> slopes_, starts_;
  Room<double> sums_, begun_;
};

// The comparisons that find a segment, and the sorting and adding up before: an upper bound.
inline std::uint64_t search(const Shape& v) { return std::bit_width(v[0]); }
inline std::uint64_t preparation(const Shape& v) { return v[0] * (8 * v[1] + 4 * search(v) + 2); }

}  // namespace attend::hinge_network
