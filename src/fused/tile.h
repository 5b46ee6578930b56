// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <xsimd/xsimd.hpp>

#include "kernels/real.h"

// The innermost loops: a tile of a few rows by one panel of the result, held in registers. A panel
// is two vectors wide; what lies in it side by side are queries, so that all of softmax runs down
// the lanes and nothing is ever summed across them.
namespace attend::fused {

template <class Arch>
inline constexpr std::size_t panel_width = 2 * xsimd::batch<real, Arch>::size;

// Twelve sums, two vectors and one number fill the registers where multiply and add are one
// instruction; where they are two, the product needs a register as well.
#if defined(__wasm__) && !defined(__wasm_relaxed_simd__)
inline constexpr std::size_t tile_rows = 4;
// With so few rows the processor is held up by how many instructions there are: rows that many
// panels go over are laid tile by tile, because a pointer for each row has to be moved.
inline constexpr std::size_t panels_for_tiles = 4;
#else
inline constexpr std::size_t tile_rows = 6;
inline constexpr std::size_t panels_for_tiles = 0;  // never
#endif

// Keeps the compiler from gathering the loads of several steps in front, which would spill.
[[gnu::always_inline]] inline void in_order() { asm volatile("" ::: "memory"); }

// Every loop over rows is unrolled: what is indexed by a constant stays in registers.
template <class Arch, std::size_t Rows>
struct Tile {
  using Batch = xsimd::batch<real, Arch>;
  static constexpr std::size_t width = panel_width<Arch>;
  Batch sum[Rows][2];

  [[gnu::always_inline]] void clear() {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      sum[i][0] = sum[i][1] = Batch(0);
    }
  }
  [[gnu::always_inline]] void load(const real* from, std::size_t step) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      sum[i][0] = Batch::load_unaligned(from + i * step);
      sum[i][1] = Batch::load_unaligned(from + i * step + Batch::size);
    }
  }
  [[gnu::always_inline]] void store(real* to, std::size_t step) const {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      sum[i][0].store_unaligned(to + i * step);
      sum[i][1].store_unaligned(to + i * step + Batch::size);
    }
  }
  // largest[lane] = the largest of it and the lane's sums.
  [[gnu::always_inline]] void take_largest(real* largest) const {
    Batch most[2] = {Batch::load_unaligned(largest), Batch::load_unaligned(largest + Batch::size)};
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      most[0] = xsimd::max(most[0], sum[i][0]);
      most[1] = xsimd::max(most[1], sum[i][1]);
    }
    most[0].store_unaligned(largest);
    most[1].store_unaligned(largest + Batch::size);
  }
  // Row i is multiplied by a(i).
  template <class Element>
  [[gnu::always_inline]] void step(const real* b, Element a) {
    const Batch b0 = Batch::load_unaligned(b);
    const Batch b1 = Batch::load_unaligned(b + Batch::size);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      const Batch ai = Batch::broadcast(a(i));
      sum[i][0] = xsimd::fma(ai, b0, sum[i][0]);
      sum[i][1] = xsimd::fma(ai, b1, sum[i][1]);
    }
  }

  // + a b with element (i, p) of a at a[i * a_step + p].
  [[gnu::always_inline]] void add_rows(const real* a, std::size_t a_step, const real* b,
                                       std::size_t k) {
    const real* row[Rows];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) row[i] = a + i * a_step;
    // One step at a time, here and below: a WebAssembly engine gathers the loads of several steps
    // in front and spills.
    for (const real* const end = b + k * width; b != end; b += width) {
      step(b, [&](std::size_t i) { return *row[i]++; });
      in_order();
    }
  }

  // + a b with element (i, p) of a at a[p * a_step + i].
  [[gnu::always_inline]] void add_columns(const real* a, std::size_t a_step, const real* b,
                                          std::size_t k) {
    for (const real* const end = b + k * width; b != end; b += width, a += a_step) {
      step(b, [&](std::size_t i) { return a[i]; });
      in_order();
    }
  }
};

}  // namespace attend::fused
