// SPDX-License-Identifier: Apache-2.0
// Compiled for machines with AVX2 alone; softmax.cpp, symmetric.cpp and norms.cpp ask the machine before they come
// here. Without fused multiply-add, so that the numbers stay those of every other machine.
#ifdef ATTEND_AVX2
#include "kernels/norm_loops.h"
#include "kernels/row_loops.h"
#include "kernels/symmetric_loops.h"

namespace attend::kernels {

RowLoops rows_with_avx2() { return LoopsOfRows<xsimd::avx2>::all(); }
SymmetricLoops symmetric_with_avx2() { return LanesOfSymmetric<xsimd::avx2>::all(); }
NormLoops norms_with_avx2() {
  using Own = LoopsOfNorms<xsimd::avx2>;
  return {Own::forward, Own::backward};
}

}  // namespace attend::kernels
#endif
