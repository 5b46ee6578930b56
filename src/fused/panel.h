// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "fused/tile.h"

// Between rows in memory and a panel: rows lying side by side, one in each lane.
namespace attend::fused {

template <class Arch>
struct Panel {
  using Batch = xsimd::batch<real, Arch>;
  static constexpr std::size_t width = panel_width<Arch>;
  // Squares of 128 bits turn fastest.
  static constexpr std::size_t side = 16 / sizeof(real);
  using Part =
      std::conditional_t<Batch::size == side, Batch, xsimd::make_sized_batch_t<real, side>>;
  using Square = std::array<Part, side>;

  // out[p * width + r] = rows[r * step + p] * scale for p < k. Lanes from `count` on repeat the
  // last row, so that every lane is fit to compute with.
  static void gather(const real* rows, std::ptrdiff_t step, std::size_t count, std::size_t k,
                     real scale, real* out) {
    const Part factor(scale);
    for (std::size_t c = 0; c < width; c += side) {
      std::array<const real*, side> row;
      for (std::size_t i = 0; i < side; ++i)
        row[i] = rows + static_cast<std::ptrdiff_t>(std::min(c + i, count - 1)) * step;
      const std::size_t whole = k / side * side;
      for (std::size_t p = 0; p < whole; p += side) {
        Square square;
        for (std::size_t i = 0; i < side; ++i) square[i] = Part::load_unaligned(row[i] + p);
        xsimd::transpose(square.data(), square.data() + side);
        for (std::size_t i = 0; i < side; ++i) {
          (square[i] * factor).store_unaligned(out + (p + i) * width + c);
        }
      }
      for (std::size_t p = whole; p < k; ++p) {
        for (std::size_t i = 0; i < side; ++i) out[p * width + c + i] = row[i][p] * scale;
      }
    }
  }

  // The same for whole tiles of rows, each behind the other: out[tile][p * tile_rows + r].
  static void gather_tiles(const real* rows, std::size_t step, std::size_t tiles, std::size_t k,
                           real* out) {
    static_assert(tile_rows % side == 0 || tile_rows >= 6);
    for (std::size_t t = 0; t < tiles; ++t, rows += tile_rows * step, out += tile_rows * k) {
      for (std::size_t c = 0; c < tile_rows; c += side) {
        const real* const from = rows + c * step;
        const std::size_t whole = k / side * side;
        for (std::size_t p = 0; p < whole; p += side) {
          Square square;
          for (std::size_t i = 0; i < side; ++i) {
            square[i] = Part::load_unaligned(from + i * step + p);
          }
          xsimd::transpose(square.data(), square.data() + side);
          for (std::size_t i = 0; i < side; ++i) {
            square[i].store_unaligned(out + (p + i) * tile_rows + c);
          }
        }
        for (std::size_t p = whole; p < k; ++p) {
          for (std::size_t i = 0; i < side; ++i) out[p * tile_rows + c + i] = from[i * step + p];
        }
      }
    }
  }

  // Whole tiles of columns, each behind the other: out[tile][r * tile_rows + c]. A cache line of
  // every row at a time.
  static void lay_tiles(const real* rows, std::size_t step, std::size_t tiles, std::size_t count,
                        real* out) {
    constexpr std::size_t at_once = 64 / sizeof(real) / tile_rows;
    for (std::size_t t = 0; t < tiles; t += at_once) {
      const std::size_t wide = std::min(at_once, tiles - t) * tile_rows;
      for (std::size_t r = 0; r < count; ++r) {
        const real* const from = rows + r * step + t * tile_rows;
        real* const to = out + t * tile_rows * count + r * tile_rows;
        for (std::size_t c = 0; c < wide; c += side) {
          Part::load_unaligned(from + c).store_unaligned(to + c / tile_rows * tile_rows * count +
                                                         c % tile_rows);
        }
      }
    }
  }

  // rows[r * step + p] = panel[p * width + r] * factor[r], or added to what is there: then rows may overlap.
  template <bool Add>
  static void scatter(const real* panel, const real* factor, std::size_t k, real* rows,
                      std::ptrdiff_t step, std::size_t count) {
    const auto to_row = [&](std::size_t r) { return rows + static_cast<std::ptrdiff_t>(r) * step; };
    const auto put = [](real& to, real x) { to = Add ? to + x : x; };
    for (std::size_t c = 0; c < count; c += side) {
      const std::size_t here = std::min(side, count - c);
      const Part scale = Part::load_unaligned(factor + c);
      const std::size_t whole = k / side * side;
      for (std::size_t p = 0; p < whole; p += side) {
        Square square;
        for (std::size_t i = 0; i < side; ++i) {
          square[i] = Part::load_unaligned(panel + (p + i) * width + c) * scale;
        }
        xsimd::transpose(square.data(), square.data() + side);
        for (std::size_t i = 0; i < here; ++i) {
          real* const to = to_row(c + i) + p;
          (Add ? Part::load_unaligned(to) + square[i] : square[i]).store_unaligned(to);
        }
      }
      for (std::size_t p = whole; p < k; ++p) {
        for (std::size_t i = 0; i < here; ++i) {
          put(to_row(c + i)[p], panel[p * width + c + i] * factor[c + i]);
        }
      }
    }
  }
};

}  // namespace attend::fused
