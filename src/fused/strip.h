// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "fused/tile.h"

// Tiles below each other that share one panel. Called through a table, because an optimiser that
// inlines a strip into its only caller makes a function that a WebAssembly engine compiles badly.
namespace attend::fused {

struct Strip {
  const real* a;
  std::size_t a_step;
  std::size_t a_tile;  // from one tile to the next
  const real* b;       // panel [k width]
  real* out;           // tile below tile
  std::size_t out_step;
  std::size_t k;
  std::size_t count;
  real* largest;  // [width] what has been largest in each lane so far, or null
  bool extend;    // goes on from the sums in `out`
};

template <class Arch, std::size_t Rows, bool ByColumn>
void run_strip(const Strip& strip) {
  const real* a = strip.a;
  real* out = strip.out;
  for (std::size_t t = 0; t < strip.count; ++t) {
    Tile<Arch, Rows> tile;
    if (strip.extend) {
      tile.load(out, strip.out_step);
    } else {
      tile.clear();
    }
    if constexpr (ByColumn) {
      tile.add_columns(a, strip.a_step, strip.b, strip.k);
    } else {
      tile.add_rows(a, strip.a_step, strip.b, strip.k);
    }
    tile.store(out, strip.out_step);
    if (strip.largest != nullptr) tile.take_largest(strip.largest);
    a += strip.a_tile;
    out += Rows * strip.out_step;
  }
}

using StripKernel = void (*)(const Strip&);

template <class Arch, bool ByColumn, std::size_t... Rows>
constexpr std::array<StripKernel, sizeof...(Rows)> strip_table(std::index_sequence<Rows...>) {
  return {run_strip<Arch, Rows + 1, ByColumn>...};
}

template <class Arch, bool ByColumn>
inline constexpr auto strips = strip_table<Arch, ByColumn>(std::make_index_sequence<tile_rows>());

// Whatever the optimiser knows of the table, it is to call and not to inline.
template <class Arch, bool ByColumn>
void call_strip(std::size_t rows, const Strip& strip) {
  StripKernel kernel = strips<Arch, ByColumn>[rows - 1];
  asm volatile("" : "+r"(kernel));
  kernel(strip);
}

// The strip's rows, the last tile with as many as there are.
template <class Arch, bool ByColumn>
void run_rows(Strip strip, std::size_t rows) {
  strip.a_tile = tile_rows * (ByColumn ? 1 : strip.a_step);
  strip.count = rows / tile_rows;
  if (strip.count > 0) call_strip<Arch, ByColumn>(tile_rows, strip);
  const std::size_t below = rows % tile_rows;
  if (below == 0) return;
  strip.a += strip.count * strip.a_tile;
  strip.out += strip.count * tile_rows * strip.out_step;
  strip.count = 1;
  call_strip<Arch, ByColumn>(below, strip);
}

// out[rows width] = a[rows k] b, element (i, p) of a at a[i * a_step + p], or with ByColumn at
// a[p * a_step + i].
template <class Arch, bool ByColumn>
void multiply(const real* a, std::size_t a_step, const real* b, std::size_t k, std::size_t rows,
              real* out, bool extend, real* largest) {
  run_rows<Arch, ByColumn>({a, a_step, 0, b, out, panel_width<Arch>, k, 0, largest, extend}, rows);
}

// Where the tiles of a lie that were laid one by one (Panel::gather_tiles, lay_tiles).
struct Laid {
  const real* tiles = nullptr;
  std::size_t step = 0;  // from one to the next
};

// The same, whole tiles of a read from there, the rows below from a itself.
template <class Arch, bool ByColumn>
void multiply_laid(const Laid& laid, const real* a, std::size_t a_step, const real* b,
                   std::size_t k, std::size_t rows, real* out, bool extend, real* largest) {
  constexpr std::size_t width = panel_width<Arch>;
  const std::size_t count = rows / tile_rows, whole = count * tile_rows;
  if (count > 0) {
    call_strip<Arch, true>(
        tile_rows, {laid.tiles, tile_rows, laid.step, b, out, width, k, count, largest, extend});
  }
  multiply<Arch, ByColumn>(a + whole * (ByColumn ? 1 : a_step), a_step, b, k, rows - whole,
                           out + whole * width, extend, largest);
}

// The same with the rows of out `out_step` apart.
template <class Arch, bool ByColumn>
void multiply_into(const real* a, std::size_t a_step, const real* b, std::size_t k,
                   std::size_t rows, real* out, std::size_t out_step, bool extend) {
  run_rows<Arch, ByColumn>({a, a_step, 0, b, out, out_step, k, 0, nullptr, extend}, rows);
}

}  // namespace attend::fused
