// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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
  static_assert(Width % pack_size == 0);
  std::size_t p = 0;
  for (; p + pack_size <= k; p += pack_size) {
    for (std::size_t c = 0; c < Width; c += pack_size) {
      std::array<Batch, pack_size> square;
      for (std::size_t i = 0; i < pack_size; ++i) {
        square[i] = Batch::load_unaligned(x + (c + i) * step + p);
      }
      xsimd::transpose(square.data(), square.data() + pack_size);
      for (std::size_t i = 0; i < pack_size; ++i) {
        square[i].store_unaligned(out + (p + i) * Width + c);
      }
    }
  }
  for (; p < k; ++p) {
    for (std::size_t c = 0; c < Width; ++c) out[p * Width + c] = x[c * step + p];
  }
}

// Panels that are copied together read this many columns of a row at once: a few whole cache lines, where one panel
// would read half of one, a page apart from the next.
inline constexpr std::size_t packed_together = 128;

// k rows, lying `step` apart, as `count` panels of `Width` columns.
template <class Arch, std::size_t Width>
void pack_rows(const real* x, std::size_t step, std::size_t k, std::size_t count, real* out) {
  using Batch = PackBatch<Arch>;
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t c = 0; c < Width; c += pack_size) {
        Batch::load_unaligned(x + p * step + j * Width + c)
            .store_unaligned(out + (j * k + p) * Width + c);
      }
    }
  }
}

// x[k n] as panels of `Width` columns, each panel [k Width], the last one filled up with zeros.
template <class Arch, std::size_t Width>
void pack_panels(View x, std::size_t k, std::size_t n, real* out) {
  constexpr std::size_t together = std::max<std::size_t>(packed_together / Width, 1);
  const std::size_t whole = n - n % Width;
  for (std::size_t j = 0; j < whole;) {
    const real* from = x.data + j * x.column;
    const std::size_t count = x.column == 1 ? std::min(together, (whole - j) / Width) : 1;
    if (x.column == 1) {
      pack_rows<Arch, Width>(from, x.row, k, count, out);
    } else {
      pack_columns<Arch, Width>(from, x.column, k, out);
    }
    j += count * Width;
    out += count * k * Width;
  }
  if (whole == n) return;
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t c = 0; c < Width; ++c) {
      out[p * Width + c] = whole + c < n ? x.data[p * x.row + (whole + c) * x.column] : real(0);
    }
  }
}

}  // namespace attend::kernels
