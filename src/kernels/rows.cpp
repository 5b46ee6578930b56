// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "kernels/lanes.h"
#include "kernels/scratch.h"

namespace attend::kernels {
namespace {

// Orders NaN before everything, then the larger first.
bool ahead(real x, real y) { return std::isnan(x) ? !std::isnan(y) : x > y; }

// The same order as numbers that ascend: equal where neither is ahead.
using Rank = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
Rank rank_of(real x) {
  if (std::isnan(x)) return 0;
  constexpr Rank sign = Rank{1} << (8 * sizeof(real) - 1);
  const Rank bits = std::bit_cast<Rank>(x == 0 ? real(0) : x);
  return bits & sign ? bits : static_cast<Rank>(~(bits | sign));
}

// Places in the order of their ranks, digit by digit from the last: the time of a long row grows with its length.
class Digits {
 public:
  explicit Digits(std::size_t cols) : places_(2 * cols), ranks_(2 * cols) {}

  void sort(const real* row, std::size_t cols, real* out) {
    std::uint32_t *from = places_.data(), *to = from + cols;
    Rank *ranks = ranks_.data(), *next = ranks + cols;
    for (std::size_t j = 0; j < cols; ++j) {
      from[j] = static_cast<std::uint32_t>(j);
      ranks[j] = rank_of(row[j]);
    }
    for (std::size_t shift = 0; shift < 8 * sizeof(real); shift += width) {
      const auto digit = [shift](Rank rank) { return rank >> shift & (size - 1); };
      starts_.fill(0);
      for (std::size_t j = 0; j < cols; ++j) ++starts_[digit(ranks[j])];
      std::exclusive_scan(starts_.begin(), starts_.end(), starts_.begin(), std::uint32_t{0});
      for (std::size_t j = 0; j < cols; ++j) {
        const std::uint32_t at = starts_[digit(ranks[j])]++;
        to[at] = from[j];
        next[at] = ranks[j];
      }
      std::swap(from, to);
      std::swap(ranks, next);
    }
    std::copy_n(from, cols, out);
  }

 private:
  static constexpr std::size_t width = 11, size = std::size_t{1} << width;
  Scratch<std::uint32_t> places_;
  Scratch<Rank> ranks_;
  std::array<std::uint32_t, size> starts_;
};

}  // namespace

void max_rows(const real* x, real* out, std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = largest(x + i * cols, cols);
}

void argmax_rows(const real* x, real* out, std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    const real* row = x + i * cols;
    std::size_t best = 0;
    for (std::size_t j = 1; j < cols; ++j) {
      if (ahead(row[j], row[best])) best = j;
    }
    out[i] = static_cast<real>(best);
  }
}

void cumsum_rows(const real* x, real* out, std::size_t rows, std::size_t cols, bool reverse) {
  for (std::size_t i = 0; i < rows; ++i) {
    real sum = 0;
    for (std::size_t l = 0; l < cols; ++l) {
      const std::size_t j = i * cols + (reverse ? cols - 1 - l : l);
      sum += x[j];
      out[j] = sum;
    }
  }
}

void argsort_rows(const real* x, real* out, std::size_t rows, std::size_t cols) {
  if (cols >= 1024) {  // a shorter row is not worth its digits' counts
    Digits digits(cols);
    for (std::size_t i = 0; i < rows; ++i) digits.sort(x + i * cols, cols, out + i * cols);
    return;
  }
  Scratch<std::uint32_t> room(cols);
  std::vector<std::uint32_t>& order = *room;
  for (std::size_t i = 0; i < rows; ++i) {
    const real* row = x + i * cols;
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    // By way of a heap: as WebAssembly a third of the size of a stable sort, and of equal numbers
    // the places decide.
    const auto before = [row](std::uint32_t a, std::uint32_t b) {
      return ahead(row[a], row[b]) || (!ahead(row[b], row[a]) && a < b);
    };
    std::make_heap(order.begin(), order.end(), before);
    std::sort_heap(order.begin(), order.end(), before);
    std::transform(order.begin(), order.end(), out + i * cols,
                   [](std::uint32_t j) { return static_cast<real>(j); });
  }
}

}  // namespace attend::kernels
