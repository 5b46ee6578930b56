// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fused/pairs.h"
#include "fused/strip.h"

// Keys and values of the distance: the products of a panel of queries with the rows that occur among a block of keys,
// one row and one query a lane. What belongs to a key lies on a diagonal of them.
namespace attend::fused {

template <class Arch>
class Relative {
 public:
  using Batch = xsimd::batch<real, Arch>;
  static constexpr std::size_t width = panel_width<Arch>;

  // The rows that a panel of queries meets among these keys.
  Relative(const Attention& a, const Queries& q, Keys keys)
      : last_(static_cast<std::ptrdiff_t>(a.relative.count) - 1),
        of_first_(static_cast<std::ptrdiff_t>(keys.first) - static_cast<std::ptrdiff_t>(q.first) +
                  a.relative.shift),
        keys_(keys.last - keys.first),
        first_(row(0, width - 1)),
        rows_(static_cast<std::size_t>(row(keys_ - 1, 0) - first_) + 1) {}

  [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(first_); }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // At most so many rows occur among some keys.
  static std::size_t most_rows(std::size_t keys) { return keys + width; }

  // by_row[rows width] = rows panel.
  void multiply_rows(const Rows& table, std::size_t head, const real* panel, std::size_t depth,
                     real* by_row) const {
    multiply<Arch, false>(row_of(table, head, first()), table.row, panel, depth, rows_, by_row,
                          false, nullptr);
  }

  // out[keys width] += what lies in by_row[rows width].
  void add(const real* by_row, real* out) const {
    each_key([&](std::size_t key,
                 std::size_t row) { add_lanes(by_row + row * width, out + key * width); },
             [&](std::size_t key, std::size_t lane, std::size_t row) {
               out[key * width + lane] += by_row[row * width + lane];
             });
  }

  // by_row[rows width] = the sums of what belongs to each row, of in[keys width].
  void sum(const real* in, real* by_row) const {
    std::fill_n(by_row, rows_ * width, real(0));
    each_key([&](std::size_t key,
                 std::size_t row) { add_lanes(in + key * width, by_row + row * width); },
             [&](std::size_t key, std::size_t lane, std::size_t row) {
               by_row[row * width + lane] += in[key * width + lane];
             });
  }

  // table[rows cols] += by_row x, of the rows x[count cols] of the queries. `aside` has room for most_rows and one
  // panel more.
  void add_outer(const real* by_row, const real* x, std::size_t x_row, std::size_t count,
                 std::size_t cols, real* table, std::size_t table_row, real* aside) const {
    real* const panel = aside + rows_ * width;
    for (std::size_t c = 0; c < cols; c += width) {
      const std::size_t here = std::min(width, cols - c);
      std::fill_n(panel, count * width, real(0));
      for (std::size_t i = 0; i < count; ++i)
        std::copy_n(x + i * x_row + c, here, panel + i * width);
      multiply<Arch, false>(by_row, width, panel, count, rows_, aside, false, nullptr);
      for (std::size_t r = 0; r < rows_; ++r) {
        real* const to = table + (first() + r) * table_row + c;
        for (std::size_t i = 0; i < here; ++i) to[i] += aside[r * width + i];
      }
    }
  }

 private:
  [[nodiscard]] std::ptrdiff_t row(std::size_t key, std::size_t lane) const {
    const std::ptrdiff_t at =
        of_first_ + static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(lane);
    return std::clamp<std::ptrdiff_t>(at, 0, last_);
  }

  static void add_lanes(const real* from, real* to) {
    for (std::size_t lane = 0; lane < width; lane += Batch::size) {
      (Batch::load_unaligned(to + lane) + Batch::load_unaligned(from + lane))
          .store_unaligned(to + lane);
    }
  }

  // Calls together(key, row) where all queries meet the same row, as they do far away, and apart(key, lane, row)
  // elsewhere.
  template <class Together, class Apart>
  void each_key(Together together, Apart apart) const {
    for (std::size_t key = 0; key < keys_; ++key) {
      const std::ptrdiff_t most = row(key, 0), least = row(key, width - 1);
      const auto from = static_cast<std::size_t>(most - first_);
      if (most == least) {
        together(key, from);
      } else if (most - least == static_cast<std::ptrdiff_t>(width) - 1) {
        for (std::size_t lane = 0; lane < width; ++lane) apart(key, lane, from - lane);
      } else {
        for (std::size_t lane = 0; lane < width; ++lane)
          apart(key, lane, static_cast<std::size_t>(row(key, lane) - first_));
      }
    }
  }

  std::ptrdiff_t last_;
  std::ptrdiff_t of_first_;  // of the first key and the first query, before it is clipped
  std::size_t keys_;
  std::ptrdiff_t first_;
  std::size_t rows_;
};

}  // namespace attend::fused
