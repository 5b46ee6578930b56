// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/scratch.h"
#include "fused/strip.h"

// Rows times a matrix of weights, by the tiles of the attention: a panel of the weights stays in
// the first-level cache while all rows go over it.
namespace attend::fused {

// Columns that are laid out at once: whole cache lines of the weights are read.
template <class Arch>
inline constexpr std::size_t project_panels = std::max<std::size_t>(64 / panel_width<Arch>, 1);

// A panel of so many rows of the weights leaves the first-level cache to the rows of x.
inline constexpr std::size_t project_depth = 256;

// panels[p][depth width] from columns first .. first + cols of w, the last filled up with zeros.
template <class Arch>
void lay_columns(const real* w, std::size_t step, std::size_t depth, std::size_t cols,
                 real* panels) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t width = panel_width<Arch>;
  for (std::size_t p = 0; p < depth; ++p, w += step, panels += width) {
    std::size_t c = 0;
    for (; c + width <= cols; c += width) {
      real* const to = panels + c * depth;
      Batch::load_unaligned(w + c).store_unaligned(to);
      Batch::load_unaligned(w + c + Batch::size).store_unaligned(to + Batch::size);
    }
    for (std::size_t r = 0; c < cols && r < width; ++r) {
      panels[c * depth + r] = c + r < cols ? w[c + r] : real(0);
    }
  }
}

// out[rows cols] = x[rows depth] w[depth cols], all dense; depth > 0.
template <class Arch>
void project(const real* x, const real* w, real* out, std::size_t rows, std::size_t depth,
             std::size_t cols) {
  constexpr std::size_t width = panel_width<Arch>;
  constexpr std::size_t at_once = project_panels<Arch> * width;
  const std::size_t most = std::min(project_depth, depth);
  Scratch scratch(Scratch::rounded(at_once * most) + Scratch::rounded(rows * width));
  real* const panels = scratch.take(at_once * most);
  real* const aside = scratch.take(rows * width);
  for (std::size_t c = 0; c < cols; c += at_once) {
    const std::size_t here = std::min(at_once, cols - c);
    for (std::size_t k = 0; k < depth; k += most) {
      const std::size_t deep = std::min(most, depth - k);
      lay_columns<Arch>(w + k * cols + c, cols, deep, here, panels);
      for (std::size_t p = 0; p + width <= here; p += width) {
        multiply_into<Arch, false>(x + k, depth, panels + p * deep, deep, rows, out + c + p, cols,
                                   k > 0);
      }
      // The last columns do not fill a panel.
      const std::size_t whole = here / width * width;
      if (whole == here) continue;
      multiply_into<Arch, false>(x + k, depth, panels + whole * deep, deep, rows, aside, width,
                                 k > 0);
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(aside + i * width, here - whole, out + i * cols + c + whole);
      }
    }
  }
}

}  // namespace attend::fused
