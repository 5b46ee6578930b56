// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/lanes.h"
#include "kernels/scratch.h"

namespace attend::kernels {
namespace {

// Orders NaN before everything, then the larger first.
bool ahead(real x, real y) { return std::isnan(x) ? !std::isnan(y) : x > y; }

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
