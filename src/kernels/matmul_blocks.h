// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "kernels/matmul_pack.h"
#include "kernels/matmul_tile.h"

// The product as a walk over cache blocks; see matmul_tile.h for the work on one tile.
namespace attend::kernels {

struct Product {
  View a;  // [m k]
  View b;  // [k n]
  real* out;
  std::size_t out_row;
  std::size_t out_column;  // other than 1: the result is stored transposed
  std::size_t m;
  std::size_t n;
  std::size_t k;
  bool pack_a;
  bool pack_b;
  // A whole tile of a packed a, which also copies the panel of b that it reads for the tiles below: the multiplications
  // hide the time of the stores, where a pass before them would not. Null: b is packed in a pass, or not at all.
  StripKernel copying;
  bool keeps_copies;  // for rows beyond the first block of a
  real* a_scratch;    // panels of a block of a when pack_a, or of all its blocks
  real* b_scratch;    // panels of a block of b, or one panel
  // From one packed block of a to the next along k, where all fit; 0: each is packed when it is needed. `a_ready`: they
  // were packed by the product before.
  std::size_t a_block;
  bool a_ready;
};

// How far the products of a batch are from each other.
struct BatchSteps {
  std::size_t a, b, out, count;
};

// A block of a (144 KB in float) stays in the second-level cache, and a panel of b (8 KB), one tile wide, stays in the
// first. The rows come in whole tiles of any height.
inline constexpr std::size_t block_rows = 144;
inline constexpr std::size_t block_cols = 768;
inline constexpr std::size_t block_depth = 256;

// One tile whose place in `out` is too narrow or runs the other way: through a whole tile aside.
template <class Tile>
void run_aside(StripKernel kernel, Strip strip, const Product& s, real* out, std::size_t rows,
               std::size_t cols) {
  constexpr std::size_t width = Tile::cols;
  real aside[Tile::template rows<true> * width] = {};
  const auto place = [&](std::size_t i, std::size_t j) -> real& {
    return out[i * s.out_row + j * s.out_column];
  };
  if (strip.extend) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) aside[i * width + j] = place(i, j);
    }
  }
  strip.out = aside;
  strip.out_step = width;
  strip.count = 1;
  kernel(strip);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) place(i, j) = aside[i * width + j];
  }
}

// The strips for how the rows of a lie.
template <class Tile>
std::span<const StripKernel> strips_of(const Product& s) {
  // Eight rows as four and four: of six and two, the two would wait for their own sums.
  constexpr std::size_t most = Tile::template rows<true>;
  if (most == 6 && s.m == 8 && !s.pack_a && s.a.column != 1)
    return std::span<const StripKernel>(strips<Tile, true>).first(4);
  if (s.pack_a || s.a.column != 1) return strips<Tile, true>;
  return strips<Tile, false>;
}

// One panel of b, `cols` wide, with the `rows` rows of a block of a. `strip` says where both lie.
template <class Tile>
void multiply_panel(Strip strip, const Product& s, real* out, std::size_t rows, std::size_t cols) {
  const std::span<const StripKernel> kernels = strips_of<Tile>(s);
  const std::size_t tile = kernels.size(), below = rows % tile;
  if (cols == Tile::cols && s.out_column == 1) {
    strip.out = out;
    strip.out_step = s.out_row;
    strip.count = rows / tile;
    kernels[tile - 1](strip);
    if (below == 0) return;
    strip.a += strip.count * strip.a_tile;
    strip.out += (rows - below) * s.out_row;
    strip.count = 1;
    kernels[below - 1](strip);
    return;
  }
  for (std::size_t i = 0; i < rows; i += tile, strip.a += strip.a_tile) {
    const std::size_t here = std::min(tile, rows - i);
    run_aside<Tile>(kernels[here - 1], strip, s, out + i * s.out_row, here, cols);
  }
}

// Multiplies a panel of b that lies in place with the first tile of rows, and copies it. The tiles below read the copy.
template <class Tile>
void copy_panel(Strip& strip, const Product& s, real* out) {
  strip.out = out;
  strip.out_step = s.out_row;
  strip.count = 1;
  s.copying(strip);
  strip.a += strip.a_tile;
  strip.b = strip.copy;
  strip.b_step = Tile::cols;
}

template <class Tile>
void multiply_blocks(const Product& s) {
  using Arch = typename Tile::Arch;
  constexpr std::size_t width = Tile::cols;
  constexpr std::size_t packed = Tile::template rows<true>;
  const std::size_t rows = strips_of<Tile>(s).size();
  const bool copies = s.copying != nullptr;
  Strip strip{};
  strip.a_step = s.pack_a ? packed : (s.a.column != 1 ? s.a.column : s.a.row);
  for (std::size_t j0 = 0; j0 < s.n; j0 += block_cols) {
    const std::size_t nb = std::min(block_cols, s.n - j0);
    // Columns that the first tile reads where they lie.
    const std::size_t whole = s.pack_b && !copies ? 0 : nb - nb % width;
    for (std::size_t p0 = 0; p0 < s.k; p0 += block_depth) {
      strip.k = std::min(block_depth, s.k - p0);
      strip.extend = p0 > 0;
      strip.a_tile = s.pack_a ? panel_step<packed>(strip.k) : rows * s.a.row;
      const real* b = s.b.data + p0 * s.b.row + j0 * s.b.column;
      const auto panel = [&](std::size_t j) {
        // One place for all copies, which then stays in the first-level cache, unless rows below need them again.
        const std::size_t at = !copies          ? (j - whole) / width
                               : s.keeps_copies ? j / width
                               : j < whole      ? 0
                                                : 1;
        return s.b_scratch + at * panel_step<width>(strip.k);
      };
      if (whole < nb)
        pack_panels<Arch, width>({b + whole * s.b.column, s.b.row, s.b.column}, strip.k, nb - whole,
                                 panel(whole));
      real* const a_panels = s.a_scratch + p0 / block_depth * s.a_block;
      for (std::size_t i0 = 0; i0 < s.m; i0 += block_rows) {
        const std::size_t mb = std::min(block_rows, s.m - i0);
        const real* a = s.a.data + i0 * s.a.row + p0 * s.a.column;
        const bool ready = s.a_block != 0 && (s.a_ready || j0 > 0);
        if (s.pack_a && !ready)
          pack_panels<Arch, packed>({a, s.a.column, s.a.row}, strip.k, mb, a_panels);
        for (std::size_t j = 0; j < nb; j += width) {
          const bool in_place = j < whole && !(copies && i0 > 0);
          strip.a = s.pack_a ? a_panels : a;
          strip.b = in_place ? b + j : panel(j);
          strip.b_step = in_place ? s.b.row : width;
          real* const out = s.out + i0 * s.out_row + (j0 + j) * s.out_column;
          std::size_t above = 0;
          if (copies && in_place) {
            strip.copy = panel(j);
            copy_panel<Tile>(strip, s, out);
            above = packed;
          }
          if (mb > above)
            multiply_panel<Tile>(strip, s, out + above * s.out_row, mb - above,
                                 std::min(width, nb - j));
        }
      }
    }
  }
}

// Products of one block each, of whole panels of b, which lie in place or are packed one after another: for products as
// small as those of a head, the walk above takes as long as the multiplications.
template <class Tile>
void multiply_small(const Product& first, const BatchSteps& steps) {
  const std::span<const StripKernel> kernels = strips_of<Tile>(first);
  const std::size_t tile = kernels.size(), whole = first.m / tile, below = first.m % tile;
  Strip strip{};
  strip.k = first.k;
  strip.a_step = first.a.column != 1 ? first.a.column : first.a.row;
  strip.a_tile = tile * first.a.row;
  strip.b_step = first.pack_b ? Tile::cols : first.b.row;
  strip.out_step = first.out_row;
  for (std::size_t t = 0; t < steps.count; ++t) {
    const real* const b = first.b.data + t * steps.b;
    for (std::size_t j = 0; j < first.n; j += Tile::cols) {
      strip.a = first.a.data + t * steps.a;
      strip.b = b + j;
      strip.out = first.out + t * steps.out + j;
      if (first.pack_b) {
        strip.b = first.b_scratch;
        pack_columns<typename Tile::Arch, Tile::cols>(b + j * first.b.column, first.b.column,
                                                      first.k, first.b_scratch);
      }
      strip.count = whole;
      if (whole > 0) kernels[tile - 1](strip);
      if (below == 0) continue;
      strip.a += whole * strip.a_tile;
      strip.out += whole * tile * first.out_row;
      strip.count = 1;
      kernels[below - 1](strip);
    }
  }
}

// The product by one kind of tile: how many columns it has, and what one costs against those of its machine.
struct Machine {
  void (*multiply)(const Product&);
  void (*multiply_small)(const Product&, const BatchSteps&);
  void (*multiply_row)(const Product&);  // one row times a matrix of contiguous rows
  void (*multiply_row_by_heads)(const Product&, const BatchSteps&);  // and matrices of head_columns
  void (*multiply_row_by_columns)(const Product&);                   // and of contiguous columns
  void (*multiply_row_by_dots)(const Product&);  // and of such, a contiguous row
  std::size_t tile_cols;
  StripKernel copying;      // Product::copying
  std::size_t packed_rows;  // of a tile, if a is packed
  std::size_t cost;
};

#ifdef ATTEND_AVX2
// Only for a machine that has them.
Machine machine_with_avx2();
Machine narrow_machine_with_avx2();
Machine machine_with_avx512();
Machine narrow_machine_with_avx512();
Machine fused_machine_with_avx2();
Machine narrow_fused_machine_with_avx2();
Machine fused_machine_with_avx512();
Machine narrow_fused_machine_with_avx512();
#endif

}  // namespace attend::kernels
