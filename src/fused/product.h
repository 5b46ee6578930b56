// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fused/panel.h"
#include "fused/scratch.h"
#include "fused/strip.h"
#include "kernels/matmul.h"

// Products of matrices by the tiles of the attention: a panel of b stays in the first-level cache while all rows of a
// go over it, which are read where they lie.
namespace attend::fused {

// out[m n] = a[m k] b[k n], as kernels::matmul and with its numbers where both round a product and its sum once. For
// up to a few hundred rows, as the blocks of the efficient forms have them; a that is transposed has narrow rows.
void product(kernels::Operand a, kernels::Operand b, real* out, std::size_t out_step, std::size_t m,
             std::size_t n, std::size_t k);

// Columns that are laid out at once: whole cache lines of b are read.
template <class Arch>
inline constexpr std::size_t product_panels = std::max<std::size_t>(64 / panel_width<Arch>, 1);

// A panel of so many rows of b leaves the first-level cache to the rows of a.
inline constexpr std::size_t product_depth = 256;

// panels[p][depth width] from the first columns of b, the last filled up with zeros.
template <class Arch>
void lay_columns(const real* b, std::size_t step, std::size_t depth, std::size_t cols,
                 real* panels) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t width = panel_width<Arch>;
  for (std::size_t p = 0; p < depth; ++p, b += step, panels += width) {
    std::size_t c = 0;
    for (; c + width <= cols; c += width) {
      real* const to = panels + c * depth;
      Batch::load_unaligned(b + c).store_unaligned(to);
      Batch::load_unaligned(b + c + Batch::size).store_unaligned(to + Batch::size);
    }
    for (std::size_t r = 0; c < cols && r < width; ++r) {
      panels[c * depth + r] = c + r < cols ? b[c + r] : real(0);
    }
  }
}

// The same where b lies transposed; the last panel is filled up with its last column.
template <class Arch>
void turn_columns(const real* b, std::size_t step, std::size_t depth, std::size_t cols,
                  real* panels) {
  constexpr std::size_t width = panel_width<Arch>;
  for (std::size_t c = 0; c < cols; c += width) {
    Panel<Arch>::gather(b + c * step, step, std::min(width, cols - c), depth, real(1),
                        panels + c * depth);
  }
}

template <class Arch>
void product(kernels::Operand a, kernels::Operand b, real* out, std::size_t out_step, std::size_t m,
             std::size_t n, std::size_t k) {
  constexpr std::size_t width = panel_width<Arch>;
  constexpr std::size_t at_once = product_panels<Arch> * width;
  const std::size_t most = std::min(product_depth, k);
  const std::size_t part = n % width == 0 ? 0 : m * width;
  Scratch scratch(Scratch::rounded(at_once * most) + Scratch::rounded(part));
  real* const panels = scratch.take(at_once * most);
  real* const aside = scratch.take(part);
  for (std::size_t c = 0; c < n; c += at_once) {
    const std::size_t here = std::min(at_once, n - c), whole = here / width * width;
    for (std::size_t p = 0; p < k; p += most) {
      const std::size_t deep = std::min(most, k - p);
      if (b.transposed)
        turn_columns<Arch>(b.data + c * b.stride + p, b.stride, deep, here, panels);
      else
        lay_columns<Arch>(b.data + p * b.stride + c, b.stride, deep, here, panels);
      const auto panel = [&](std::size_t at, real* to, std::size_t step) {
        if (a.transposed) {
          multiply_into<Arch, true>(a.data + p * a.stride, a.stride, panels + at * deep, deep, m,
                                    to, step, p > 0);
        } else {
          multiply_into<Arch, false>(a.data + p, a.stride, panels + at * deep, deep, m, to, step,
                                     p > 0);
        }
      };
      for (std::size_t at = 0; at < whole; at += width) panel(at, out + c + at, out_step);
      // The last columns do not fill a panel.
      if (whole == here) continue;
      panel(whole, aside, width);
      for (std::size_t i = 0; i < m; ++i)
        std::copy_n(aside + i * width, here - whole, out + i * out_step + c + whole);
    }
  }
}

}  // namespace attend::fused
