// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/rows.h"
#include "kernels/scratch.h"
#include "kernels/vector.h"

namespace attend::kernels {
namespace {

// The equation for the largest weight p of a row: sum_j p [1 + r z_j / p^r]_+^{1/r} = 1, where
// z_j = x_j - max x. In p nothing cancels: not near r = 0, where a threshold would be -1 + O(r),
// nor for large r, where it would be within n^-r of its bound.
struct Equation {
  std::vector<double>& z;  // of the entries that can have weight
  double r;

  // Of the largest weight p: an entry's part of it, y^(1/r) with y = 1 + r gap / p^r, and how that
  // weight changes with p, y^(1/r) / y.
  struct Part {
    double part, slope;
  };
  [[nodiscard]] Part of(double gap, double stretch) const {
    if (gap == 0) return {1, 1};
    if (r == 0) return {std::exp(gap), std::exp(gap)};
    // Sparsemax and 1.5-entmax need no logarithm.
    if (r == 1) return sparsemax(gap, stretch);
    if (r == 0.5) return half(gap, stretch);
    const double x = r * gap * stretch, y = 1 + x;
    if (!(y > 0)) return {0, 0};
    const double part = std::exp(std::log1p(x) / r);
    return {part, part / y};
  }
  static Part sparsemax(double gap, double stretch) {
    const double y = 1 + gap * stretch;
    return y > 0 ? Part{y, 1} : Part{0, 0};
  }
  static Part half(double gap, double stretch) {
    const double y = 1 + 0.5 * gap * stretch;
    return y > 0 ? Part{y * y, y} : Part{0, 0};
  }
  [[nodiscard]] double weight(double gap, double p, double by) const {
    return p * of(gap, by).part;
  }
  [[nodiscard]] double stretch(double p) const {
    return r == 1 ? 1 / p : r == 0.5 ? 1 / std::sqrt(p) : std::exp(-r * std::log(p));
  }
  [[nodiscard]] double sum(double p) const {
    const double by = stretch(p);
    double total = 0;
    for (const double gap : z) total += weight(gap, p, by);
    return total;
  }
  // The sum, its slope, and only those entries kept that have weight, which at a smaller p are
  // among them.
  double narrow(double p, double& slope) {
    // The usual cases are told apart once, not for each entry.
    if (r == 1) return narrow_by(p, slope, sparsemax);
    if (r == 0.5) return narrow_by(p, slope, half);
    return narrow_by(p, slope, [this](double gap, double by) { return of(gap, by); });
  }
  template <class PartOf>
  double narrow_by(double p, double& slope, PartOf part_of) {
    const double by = stretch(p);
    double total = 0;
    slope = 0;
    std::size_t kept = 0;
    for (const double gap : z) {
      const Part one = part_of(gap, by);
      total += p * one.part;
      slope += one.slope;
      z[kept] = gap;
      kept += one.part > 0 || r > 1 ? 1 : 0;
    }
    z.resize(kept);
    return total;
  }
};

struct Bracket {
  double low, high, p, total;  // total: the sum at p
};

// Newton from p = 1. The sum is convex in p for r <= 1, so that p only falls and entries drop out
// for good; beyond, it has upright kinks, and every other step halves the bracket.
Bracket solve(Equation& equation) {
  Bracket b{1 / static_cast<double>(equation.z.size()), 1, 1, 0};
  for (int step = 0; step < entmax_most_steps; ++step) {
    double slope = 0;
    b.total = equation.narrow(b.p, slope);
    (b.total < 1 ? b.low : b.high) = b.p;
    if (std::abs(b.total - 1) <= 4e-16) break;
    const double change = (b.total - 1) / slope;
    if (equation.r <= 1 && std::abs(change) <= 1e-16 * b.p) break;
    double next = b.p - change;
    // There p only falls: if it cannot, all that is left is rounding.
    if (equation.r <= 1 && next >= b.p) break;
    const bool halve = equation.r > 1 && step % 2 == 1;
    if (halve || !(next > b.low && next < b.high)) next = b.low + (b.high - b.low) / 2;
    if (next <= b.low || next >= b.high) break;
    b.p = next;
  }
  return b;
}

// The largest entry that is kept, and whether one of these is NaN or infinity.
std::pair<real, bool> largest_of(const real* x, const real* mask, std::size_t cols) {
  constexpr real infinity = std::numeric_limits<real>::infinity();
  real top = -infinity;
  bool odd = false;
  Batch tops(top);
  std::size_t j = 0;
  for (; j + batch_size <= cols; j += batch_size) {
    Batch value = Batch::load_unaligned(x + j);
    if (mask != nullptr)
      value = xsimd::select(Batch::load_unaligned(mask + j) != Batch(0), value, Batch(-infinity));
    odd = odd || !xsimd::all(value < Batch(infinity));
    tops = xsimd::max(tops, value);
  }
  for (std::size_t lane = 0; lane < batch_size; ++lane) top = std::max(top, tops.get(lane));
  for (; j < cols; ++j) {
    if (mask != nullptr && mask[j] == 0) continue;
    odd = odd || !(x[j] < infinity);
    top = std::max(top, x[j]);
  }
  return {top, odd};
}

// Calls `visit` with every place of a number above this, and with some others.
template <class Visit>
void each_above(const real* x, std::size_t cols, double least, Visit visit) {
  const Batch bound(static_cast<real>(least));
  for (std::size_t j = 0; j < cols; j += batch_size) {
    if (j + batch_size <= cols && xsimd::all(Batch::load_unaligned(x + j) < bound)) continue;
    for (std::size_t k = j; k < std::min(j + batch_size, cols); ++k) visit(k);
  }
}

}  // namespace

double entmax_row(const real* x, const real* mask, double r, real* out, std::size_t cols) {
  const auto kept = [&](std::size_t j) { return mask == nullptr || mask[j] != 0; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto [best, odd] = largest_of(x, mask, cols);
  const auto top = static_cast<double>(best);
  std::fill_n(out, cols, real(0));
  if (odd || top == -infinity) {
    for (std::size_t j = 0; odd && j < cols; ++j)
      out[j] = kept(j) ? std::numeric_limits<real>::quiet_NaN() : real(0);
    return odd ? std::numeric_limits<double>::quiet_NaN() : 0;
  }
  Scratch<double> room(cols);
  Scratch<std::uint32_t> places(cols);
  (*room).clear();
  (*places).clear();
  // Further than 1/r below the best an entry never has weight, however small p becomes.
  each_above(x, cols, top - 1.001 / r - 1e-6 * std::abs(top), [&](std::size_t j) {
    const double gap = static_cast<double>(x[j]) - top;
    if (!kept(j) || (gap != 0 && !(r * gap > -1))) return;
    (*room).push_back(gap);
    (*places).push_back(static_cast<std::uint32_t>(j));
  });
  Equation equation{*room, r};
  const Bracket b = solve(equation);
  // On a kink no double p makes the sum 1: there the two sides are mixed in the right proportion.
  const bool kink = std::abs(b.total - 1) > 1e-12;
  const double at = kink ? b.high : b.p, stretch = equation.stretch(at);
  const double below = kink ? equation.sum(b.low) : 0,
               above = kink ? equation.sum(b.high) : b.total;
  const double share = kink && above > below ? (1 - below) / (above - below) : 1 / above;
  const double low_stretch = equation.stretch(b.low);
  for (const std::uint32_t j : *places) {
    const double gap = static_cast<double>(x[j]) - top;
    double a = share * equation.weight(gap, at, stretch);
    if (kink && above > below) a += (1 - share) * equation.weight(gap, b.low, low_stretch);
    out[j] = static_cast<real>(a);
  }
  return at;
}

}  // namespace attend::kernels
