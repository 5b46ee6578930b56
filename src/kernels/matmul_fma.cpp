// SPDX-License-Identifier: Apache-2.0
// The product for machines that multiply and add in one instruction, compiled for them alone; matmul.cpp asks the
// machine before it comes here.
#ifdef ATTEND_AVX2
#include "kernels/matmul_row.h"

namespace attend::kernels {

Machine fused_machine_with_avx2() {
  return machine_with<Tile<xsimd::fma3<xsimd::avx2>, 2, Terms::fused>>(5);
}
Machine narrow_fused_machine_with_avx2() {
  return machine_with<Tile<xsimd::fma3<xsimd::avx2>, 1, Terms::fused>>(3);
}

}  // namespace attend::kernels
#endif
