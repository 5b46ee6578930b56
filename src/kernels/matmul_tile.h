// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "kernels/multiply_add.h"
#include "kernels/real.h"

// The innermost loop of the product. One tile holds a few rows by 2 vectors of the result in registers. A narrow result
// takes tiles of 1 vector.
namespace attend::kernels {

// Rows of a tile. Where multiply and add are two instructions, the product needs a register as well. Of rows that are
// read where they lie, not side by side, each takes an address, so 16 registers of numbers are used for fewer of them.
template <class Architecture, Terms terms>
constexpr std::size_t rows_of_tile(bool by_column) {
#if defined(__wasm_relaxed_simd__)
  return by_column ? 6 : 4;
#else
  if (terms == Terms::apart) return 4;
  if (std::is_same_v<Architecture, xsimd::avx512f>) return by_column ? 12 : 8;
  return by_column ? 6 : 4;
#endif
}

template <class Architecture, std::size_t Vectors = 2, Terms Rounding = Terms::apart>
struct Tile {
  using Arch = Architecture;
  using Batch = xsimd::batch<real, Arch>;
  static constexpr Terms terms = Rounding;
  static constexpr std::size_t vectors = Vectors;
  static constexpr std::size_t cols = Vectors * Batch::size;
  template <bool ByColumn>
  static constexpr std::size_t rows = rows_of_tile<Architecture, Rounding>(ByColumn);
};

// A strip: `count` tiles below each other, all with the same panel of b.
// a: element (i, p) of a tile at a[i * a_step + p], or at a[p * a_step + i] when the strip is
// `ByColumn`; the next tile a_tile further on. b: element (p, j) at b[p * b_step + j].
// `extend`: go on from the sums that `out` holds. `copy`: where a strip that copies writes the panel, row by row.
struct Strip {
  const real* a;
  std::size_t a_step;
  std::size_t a_tile;
  const real* b;
  std::size_t b_step;
  real* out;
  std::size_t out_step;
  std::size_t k;
  std::size_t count;
  bool extend;
  real* copy;
};

template <class Tile, std::size_t Rows, bool ByColumn, bool Copies = false>
void multiply_strip(const Strip& strip) {
  using Batch = typename Tile::Batch;
  constexpr std::size_t width = Batch::size, vectors = Tile::vectors;
  const std::size_t a_step = strip.a_step;
  const std::size_t b_step = strip.b_step;
  const std::size_t out_step = strip.out_step;
  const real* const b_end = strip.b + strip.k * b_step;
  real* out = strip.out;
  [[maybe_unused]] real* copy = strip.copy;
  for (std::size_t tile = 0; tile < strip.count; ++tile, out += Rows * out_step) {
    Batch sum[Rows][vectors];
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[i][v] = strip.extend ? Batch::load_unaligned(out + i * out_step + v * width) : Batch(0);
      }
    }
    const real* a = strip.a + tile * strip.a_tile;
    // Not unrolled: a WebAssembly engine would gather the loads of all steps in front and spill.
    for (const real* b = strip.b; b != b_end; b += b_step) {
      Batch row[vectors];
      for (std::size_t v = 0; v < vectors; ++v) row[v] = Batch::load_unaligned(b + v * width);
      if constexpr (Copies) {
        for (std::size_t v = 0; v < vectors; ++v) row[v].store_unaligned(copy + v * width);
        copy += Tile::cols;
      }
      for (std::size_t i = 0; i < Rows; ++i) {
        const Batch ai = Batch::broadcast(a[ByColumn ? i : i * a_step]);
        for (std::size_t v = 0; v < vectors; ++v)
          sum[i][v] = multiply_add<typename Tile::Arch, Tile::terms>(ai, row[v], sum[i][v]);
      }
      a += ByColumn ? a_step : 1;
    }
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[i][v].store_unaligned(out + i * out_step + v * width);
      }
    }
  }
}

// Strips of tiles of one row, of two and so on. Called through this table, because an optimiser that inlines one
// into its only caller makes a function that a WebAssembly engine never compiles well.
using StripKernel = void (*)(const Strip&);
template <class Tile, bool ByColumn, std::size_t... Above>
constexpr std::array<StripKernel, sizeof...(Above)> strip_table(std::index_sequence<Above...>) {
  return {multiply_strip<Tile, Above + 1, ByColumn>...};
}
template <class Tile, bool ByColumn>
inline constexpr auto strips =
    strip_table<Tile, ByColumn>(std::make_index_sequence<Tile::template rows<ByColumn>>());

}  // namespace attend::kernels
