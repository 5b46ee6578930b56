// SPDX-License-Identifier: Apache-2.0
// For machines with AVX-512, compiled for them alone; matmul.cpp and symmetric.cpp ask the machine before they come
// here.
#ifdef ATTEND_AVX2
#include "kernels/matmul_row.h"
#include "kernels/symmetric_loops.h"

namespace attend::kernels {

Machine machine_with_avx512() { return machine_with<Tile<xsimd::avx512f>>(8); }
Machine narrow_machine_with_avx512() { return machine_with<Tile<xsimd::avx512f, 1>>(4); }
Machine fused_machine_with_avx512() {
  return machine_with<Tile<xsimd::avx512f, 2, Terms::fused>>(8);
}
Machine narrow_fused_machine_with_avx512() {
  return machine_with<Tile<xsimd::avx512f, 1, Terms::fused>>(4);
}
SymmetricLoops symmetric_with_avx512() { return LanesOfSymmetric<xsimd::avx512f>::all(); }

}  // namespace attend::kernels
#endif
