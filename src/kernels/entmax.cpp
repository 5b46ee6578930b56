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

// The entries of a row that can have weight: how far they lie below the best, and their places.
struct Entries {
  std::vector<double>& gaps;  // z_j = x_j - max x
  std::vector<std::uint32_t>& places;

  [[nodiscard]] std::size_t size() const { return gaps.size(); }
  // Of the entries from that place on, only those are kept for which `stays` holds.
  template <class Stays>
  void keep(std::size_t from, Stays stays) {
    std::size_t end = from;
    for (std::size_t at = from; at < size(); ++at) {
      const double gap = gaps[end] = gaps[at];
      places[end] = places[at];
      end += stays(gap) ? 1 : 0;
    }
    gaps.resize(end);
    places.resize(end);
  }
  // Of the entries from that place on, those for which `first` holds go to the front; gives back where they end.
  template <class First>
  std::size_t divide(std::size_t from, First first) {
    for (std::size_t at = from; at < size(); ++at) {
      if (!first(gaps[at])) continue;
      std::swap(gaps[at], gaps[from]);
      std::swap(places[at], places[from++]);
    }
    return from;
  }
};

// The largest weight, the sum of all weights as they are found, and the steps of the search.
struct Found {
  double largest, total;
  int steps;
};

// Adds up in blocks, so that rounding does not grow with the number of terms.
template <class Term>
double sum_of(std::size_t count, Term term) {
  constexpr std::size_t block = 64;
  double total = 0;
  for (std::size_t begin = 0; begin < count; begin += block) {
    double part = 0;
    for (std::size_t j = begin; j < std::min(begin + block, count); ++j) part += term(j);
    total += part;
  }
  return total;
}

// The sum differs from 1 by its rounding alone.
constexpr double tolerance = 2e-15;

// For r <= 1. The equation for the largest weight p: sum_j p [1 + r z_j / p^r]_+^{1/r} = 1. In p nothing cancels near
// r = 0, where a threshold would be -1 + O(r).
struct Flat {
  Entries of;
  double r;
  int steps = 0;

  // Of the largest weight p: an entry's part of it, y^(1/r) with y = 1 + r gap / p^r, and how that
  // weight changes with p, y^(1/r) / y.
  struct Part {
    double part, slope;
  };
  static Part softmax(double gap, double) { return {std::exp(gap), std::exp(gap)}; }
  static Part sparsemax(double gap, double stretch) {
    const double y = 1 + gap * stretch;
    return y > 0 ? Part{y, 1} : Part{0, 0};
  }
  static Part half(double gap, double stretch) {
    const double y = 1 + 0.5 * gap * stretch;
    return y > 0 ? Part{y * y, y} : Part{0, 0};
  }
  [[nodiscard]] Part any(double gap, double stretch) const {
    if (gap == 0) return {1, 1};
    const double x = r * gap * stretch, y = 1 + x;
    if (!(y > 0)) return {0, 0};
    const double part = std::exp(std::log1p(x) / r);
    return {part, part / y};
  }
  // The usual cases, which need no logarithm, are told apart once, not for each entry.
  template <class Visit>
  void by_case(double p, Visit visit) const {
    if (r == 0) return visit(1, softmax);
    if (r == 1) return visit(1 / p, sparsemax);
    if (r == 0.5) return visit(1 / std::sqrt(p), half);
    visit(std::exp(-r * std::log(p)), [this](double gap, double by) { return any(gap, by); });
  }

  // The sums of parts and of slopes. Entries without weight are dropped if the sum is 1 or more: the p that makes it 1
  // is smaller, so they have none there either.
  std::pair<double, double> sums(double p) {
    double slope = 0, total = 0;
    by_case(p, [&](double by, auto part_of) {
      std::size_t light = 0;
      total = sum_of(of.size(), [&](std::size_t j) {
        const Part one = part_of(of.gaps[j], by);
        slope += one.slope;
        light += one.part > 0 ? 0 : 1;
        return one.part;
      });
      if (p * total >= 1 && light > of.size() / 4)
        of.keep(0, [&](double gap) { return part_of(gap, by).part > 0; });
    });
    return {total, slope};
  }

  // No less than the p at which the sum is 1: that of as many entries which all have the mean gap, because the sum is
  // convex in the gaps.
  [[nodiscard]] double start() const {
    const auto count = static_cast<double>(of.size());
    const double mean = sum_of(of.size(), [&](std::size_t j) { return of.gaps[j]; }) / count;
    if (r == 0) return std::min(std::exp(-mean) / count, 1.0);
    return std::min(std::exp(std::log1p(std::expm1(-r * std::log(count)) - r * mean) / r), 1.0);
  }

  // The p at which the sum is 1, by Newton's method on the root sum^r as a function of p^r. It is a norm of the vector
  // [p^r + r z]_+, so it is convex, and close to a line. From the right each step stays on the right. From the ninth
  // step on, one that does not halve what is left is followed by one that does.
  double solve() {
    double low = (1 - 1e-9) / static_cast<double>(of.size()), high = 1, p = start();
    for (; steps < entmax_most_steps; ++steps) {
      const auto [parts, slope] = sums(p);
      const double total = p * parts, ratio = high / low;
      (total < 1 ? low : high) = p;
      if (std::abs(total - 1) <= tolerance) break;
      const double change = std::expm1(-r * std::log(total)) * parts / slope;
      double next = r == 0 ? p / total : p * std::exp(std::log1p(std::max(change, -1.0)) / r);
      if (std::abs(next - p) <= 1e-13 * p) return std::clamp(next, low, high);
      const bool slow = steps > 8 && high / low > std::sqrt(ratio);
      if (slow || !(next > low && next < high)) next = std::sqrt(low * high);
      if (next <= low || next >= high) break;
      p = next;
    }
    return p;
  }

  // Puts the weights in the place of the gaps.
  Found weigh() {
    const double p = solve();
    double total = 0;
    by_case(p, [&](double by, auto part_of) {
      total = sum_of(of.size(),
                     [&](std::size_t j) { return of.gaps[j] = p * part_of(of.gaps[j], by).part; });
    });
    return {p, total, steps};
  }
};

// For r > 1 a weight rises upright where it begins, and rounding of p would move it by far more. So the search first
// finds the last entry that has none yet, the base: its score and all better ones have weight, and no other has. With
// the weight e of the base all others are (e^r + r (z_j - z_base))^{1/r}, in which nothing cancels.
struct Steep {
  Entries of;
  double r;
  int steps = 0;

  [[nodiscard]] double root(double y) const {
    return r == 2 ? std::sqrt(y) : std::exp(std::log(y) / r);
  }
  // The sum of all weights of the first `count` entries, were that gap's weight 0; or a number above 1.
  [[nodiscard]] double sum_at(double gap, std::size_t count) const {
    const auto over = [&](std::size_t j) { return std::max(r * (of.gaps[j] - gap), 0.0); };
    // No weight is below what it is the root of.
    const double least = sum_of(count, over);
    if (least > 1) return least;
    return sum_of(count, [&](std::size_t j) {
      const double y = over(j);
      return y > 0 ? root(y) : 0;
    });
  }

  // The gap of the base; only entries with weight are kept. Each step halves how many are in question.
  double base() {
    double base = 0;
    std::size_t known = of.divide(0, [](double gap) { return gap == 0; });
    for (bool first = true; known < of.size(); first = false, ++steps) {
      const auto begin = of.gaps.begin() + static_cast<std::ptrdiff_t>(known);
      double gap = *std::min_element(begin, of.gaps.end());
      // All of them, most often where scores are nearly equal.
      if (!first) gap = middle(known);
      if (sum_at(gap, of.size()) <= 1) {
        base = gap;
        known = of.divide(known, [&](double one) { return one >= gap; });
      } else {
        of.keep(known, [&](double one) { return one > gap; });
      }
    }
    return base;
  }
  // The middle one of the gaps from that place on.
  [[nodiscard]] double middle(std::size_t known) const {
    Scratch<double> room(0);
    std::vector<double>& gaps = *room;
    gaps.assign(of.gaps.begin() + static_cast<std::ptrdiff_t>(known), of.gaps.end());
    const auto half = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), half, gaps.end());
    return *half;
  }

  // As above. The sum is convex in e, and the search comes from the right.
  Found weigh() {
    const double gap = base();
    const auto over = [&](std::size_t j) { return r * (of.gaps[j] - gap); };
    const std::size_t better = of.divide(0, [&](double one) { return one > gap; });
    const auto ties = static_cast<double>(of.size() - better);
    double low = 0, high = std::max(1 - sum_at(gap, better), 0.0) / ties;
    double e = high;
    for (int step = 0; step < entmax_most_steps && e > 0; ++step, ++steps) {
      const double power = std::exp(r * std::log(e));
      double slope = ties;
      const double total = ties * e + sum_of(better, [&](std::size_t j) {
                             const double y = power + over(j), one = root(y);
                             slope += one / y * (power / e);
                             return one;
                           });
      (total < 1 ? low : high) = e;
      if (std::abs(total - 1) <= tolerance) break;
      double next = e - (total - 1) / slope;
      if (!(next > low && next < high) || step > 20) next = low + (high - low) / 2;
      if (next <= low || next >= high || std::abs(next - e) <= 1e-16) break;
      e = next;
    }
    const double power = e > 0 ? std::exp(r * std::log(e)) : 0;
    const double p = gap == 0 ? e : root(power - r * gap);
    const double total = sum_of(of.size(), [&](std::size_t j) {
      return of.gaps[j] = j < better ? root(power + over(j)) : e;
    });
    return {p, total, steps};
  }
};

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

Entmax entmax_row(const real* x, const real* mask, double r, real* out, std::size_t cols) {
  const auto kept = [&](std::size_t j) { return mask == nullptr || mask[j] != 0; };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto [best, odd] = largest_of(x, mask, cols);
  const auto top = static_cast<double>(best);
  if (odd || top == -infinity) {
    for (std::size_t j = 0; j < cols; ++j)
      out[j] = odd && kept(j) ? std::numeric_limits<real>::quiet_NaN() : real(0);
    return {odd ? std::numeric_limits<double>::quiet_NaN() : 0, 0};
  }
  Scratch<double> room(0);
  Scratch<std::uint32_t> places(0);
  (*room).clear();
  (*places).clear();
  // Further than 1/r below the best an entry never has weight, however small p becomes.
  each_above(x, cols, top - 1.001 / r - 1e-6 * std::abs(top), [&](std::size_t j) {
    const double gap = static_cast<double>(x[j]) - top;
    if (!kept(j) || (gap != 0 && !(r * gap > -1))) return;
    (*room).push_back(gap);
    (*places).push_back(static_cast<std::uint32_t>(j));
  });
  const Entries entries{*room, *places};
  const Found found = r <= 1 ? Flat{entries, r}.weigh() : Steep{entries, r}.weigh();
  std::fill_n(out, cols, real(0));
  for (std::size_t k = 0; k < entries.size(); ++k)
    out[entries.places[k]] = static_cast<real>(entries.gaps[k] / found.total);
  return {found.largest, found.steps};
}

}  // namespace attend::kernels
