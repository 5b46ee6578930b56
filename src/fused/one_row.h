// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/scores.h"
#include "fused/scratch.h"

// The weights of one query, from scores that are computed exactly as in the forward pass.
namespace attend::fused {

template <class Arch>
void one_row(const Attention& a, std::size_t head, std::size_t i, real largest, real sum,
             real* weights) {
  using Batch = xsimd::batch<real, Arch>;
  constexpr std::size_t width = panel_width<Arch>;
  constexpr std::size_t step = 64;
  std::fill_n(weights, a.n, real(0));
  if (largest == none) return;
  const std::size_t columns = Scores<Arch>::columns(a), rows = Scores<Arch>::rows_aside(a, step);
  Scratch scratch(Scratch::rounded(columns * width) + Scratch::rounded(step * width) +
                  Scratch::rounded(rows * width));
  real* const panel = scratch.take(columns * width);
  real* const scores = scratch.take(step * width);
  real* const aside = scratch.take(rows * width);
  const PowerOfTwo<Arch> power_of_two;
  const Queries query{head, i, 1};
  Scores<Arch>::gather(a, query, panel);
  const Keys all = keys_of(a, i);
  for (std::size_t j = all.first; j < all.last; j += step) {
    const Keys keys{j, std::min(j + step, all.last)};
    real unused[width];
    std::fill_n(unused, width, none);
    Scores<Arch>::compute(a, query, panel, keys, scores, aside, unused);
    for (std::size_t at = 0; at < keys.last - keys.first; ++at) {
      const real score = scores[at * width];
      if (score == none) continue;  // stays 0 in a row of NaN too
      real lanes[Batch::size];
      power_of_two(Batch(score - largest)).store_unaligned(lanes);
      weights[j + at] = lanes[0] / sum;
    }
  }
}

}  // namespace attend::fused
