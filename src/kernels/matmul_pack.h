// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "kernels/real.h"

// Copies an operand into the order in which the tiles read it. Everything here is a template over
// the architecture: the same function compiled for two of them must not share a name.
namespace attend::kernels {

// Element (i, j) at data[i * row + j * column]; one of the two steps is 1.
struct View {
  const real* data;
  std::size_t row;
  std::size_t column;
};

// Panels narrower than a vector of the widest machine must still be whole vectors: 128 bits.
inline constexpr std::size_t pack_size = 16 / sizeof(real);
template <class Arch>
using PackBatch =
    std::conditional_t<xsimd::batch<real, Arch>::size == pack_size, xsimd::batch<real, Arch>,
                       xsimd::make_sized_batch_t<real, pack_size>>;

// `Width` columns of k elements each, lying `step` apart: out[p * Width + c] = x[c * step + p].
template <class Arch, std::size_t Width>
void pack_columns(const real* x, std::size_t step, std::size_t k, real* out) {
  using Batch = PackBatch<Arch>;
  // The last square may share columns with the one before, which are then written twice.
  constexpr bool shared = Width > pack_size && Width % pack_size != 0;
  constexpr std::size_t in_squares = shared ? Width : Width - Width % pack_size;
  std::size_t p = 0;
  for (; p + pack_size <= k; p += pack_size) {
    for (std::size_t first = 0; first < in_squares; first += pack_size) {
      const std::size_t c = shared ? std::min(first, Width - pack_size) : first;
      std::array<Batch, pack_size> square;
      for (std::size_t i = 0; i < pack_size; ++i) {
        square[i] = Batch::load_unaligned(x + (c + i) * step + p);
      }
      xsimd::transpose(square.data(), square.data() + pack_size);
      for (std::size_t i = 0; i < pack_size; ++i) {
        square[i].store_unaligned(out + (p + i) * Width + c);
      }
    }
    for (std::size_t c = in_squares; c < Width; ++c) {
      for (std::size_t i = 0; i < pack_size; ++i) out[(p + i) * Width + c] = x[c * step + p + i];
    }
  }
  for (; p < k; ++p) {
    for (std::size_t c = 0; c < Width; ++c) out[p * Width + c] = x[c * step + p];
  }
}

// A cache line between packed panels: without it, the panels that are written side by side could lie a power of two
// apart, and a cache keeps only a few such lines.
inline constexpr std::size_t panel_gap = 64 / sizeof(real);

// From one packed panel to the next.
template <std::size_t Width>
constexpr std::size_t panel_step(std::size_t k) {
  return k * Width + panel_gap;
}

// `Rows` rows, lying `step` apart, as their part of `count` panels of `Width` columns.
template <class Arch, std::size_t Width, std::size_t Rows>
void pack_some_rows(const real* x, std::size_t step, std::size_t count, std::size_t panel,
                    real* out) {
  using Batch = PackBatch<Arch>;
  constexpr std::size_t vectors = Width / pack_size;
  for (std::size_t j = 0; j < count; ++j, x += Width, out += panel) {
    if constexpr (Width % pack_size == 0) {
      Batch row[Rows][vectors];
      for (std::size_t i = 0; i < Rows; ++i) {
        for (std::size_t v = 0; v < vectors; ++v)
          row[i][v] = Batch::load_unaligned(x + i * step + v * pack_size);
      }
      for (std::size_t i = 0; i < Rows; ++i) {
        for (std::size_t v = 0; v < vectors; ++v)
          row[i][v].store_unaligned(out + i * Width + v * pack_size);
      }
    } else {
      for (std::size_t i = 0; i < Rows; ++i) std::copy_n(x + i * step, Width, out + i * Width);
    }
  }
}

// k rows, lying `step` apart, as `count` panels of `Width` columns. A row is read from end to end, as the memory gives
// most; of four rows at once whole cache lines are written.
template <class Arch, std::size_t Width>
void pack_rows(const real* x, std::size_t step, std::size_t k, std::size_t count, real* out) {
  constexpr std::size_t together = 4;
  const std::size_t panel = panel_step<Width>(k);
  std::size_t p = 0;
  for (; p + together <= k; p += together)
    pack_some_rows<Arch, Width, together>(x + p * step, step, count, panel, out + p * Width);
  for (; p < k; ++p)
    pack_some_rows<Arch, Width, 1>(x + p * step, step, count, panel, out + p * Width);
}

// x[k n] as panels of `Width` columns, each panel [k Width], the last one filled up with zeros.
template <class Arch, std::size_t Width>
void pack_panels(View x, std::size_t k, std::size_t n, real* out) {
  const std::size_t whole = n - n % Width;
  if (x.column == 1) {
    pack_rows<Arch, Width>(x.data, x.row, k, whole / Width, out);
  } else {
    for (std::size_t j = 0; j < whole; j += Width)
      pack_columns<Arch, Width>(x.data + j * x.column, x.column, k,
                                out + j / Width * panel_step<Width>(k));
  }
  if (whole == n) return;
  out += whole / Width * panel_step<Width>(k);
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t c = 0; c < Width; ++c) {
      out[p * Width + c] = whole + c < n ? x.data[p * x.row + (whole + c) * x.column] : real(0);
    }
  }
}

}  // namespace attend::kernels
