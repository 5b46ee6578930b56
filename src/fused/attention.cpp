// SPDX-License-Identifier: Apache-2.0
#include "fused/attention.h"

#include <algorithm>

#include "fused/machine.h"

namespace attend::fused {
namespace {

Machine choose_machine() {
#ifdef ATTEND_AVX2
  if (xsimd::available_architectures().has(xsimd::fma3<xsimd::avx2>{})) return machine_with_avx2();
#endif
  return machine_with<xsimd::default_arch>();
}

Range clip(const Attention& a, Range range) {
  range.last_head = std::min(range.last_head, a.heads);
  range.last_row = std::max(range.first_row, std::min(range.last_row, a.m));
  return range;
}

}  // namespace

const Machine& machine() {
  static const Machine chosen = choose_machine();
  return chosen;
}

void attend(const Attention& a, Place out, Statistics statistics, Range range) {
  const Range rows = clip(a, range);
  if (rows.first_row < rows.last_row) machine().forward(a, out, statistics, rows);
}

void attend_backward(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
                     Gradients gradients, Range range) {
  machine().backward(a, out, statistics, out_gradient, gradients, clip(a, range));
}

void attention_row(const Attention& a, std::size_t head, std::size_t i, real largest, real sum,
                   real* weights) {
  machine().one_row(a, head, i, largest, sum, weights);
}

// Tiles of four rows are slower on rows that lie far apart than the general product, which packs them; a b that stays
// in the first-level cache where it lies is not worth laying in panels.
void product(kernels::Operand a, kernels::Operand b, real* out, std::size_t out_step, std::size_t m,
             std::size_t n, std::size_t k) {
  constexpr std::size_t first_level_cache = 32 * 1024 / sizeof(real);
  if (tile_rows < 6 || m == 0 || n * k <= first_level_cache)
    kernels::matmul(a, b, out, out_step, m, n, k);
  else
    machine().product(a, b, out, out_step, m, n, k);
}

}  // namespace attend::fused
