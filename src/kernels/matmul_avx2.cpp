// SPDX-License-Identifier: Apache-2.0
// The product for machines with AVX2, compiled for them alone; matmul.cpp asks the machine before
// it comes here. Without fused multiply-add, so that the numbers stay those of every other machine.
#ifdef ATTEND_AVX2
#include "kernels/matmul_row.h"
#include "kernels/stored_row.h"

namespace attend::kernels {

Machine machine_with_avx2() { return machine_with<Tile<xsimd::avx2>>(5); }
Machine narrow_machine_with_avx2() { return machine_with<Tile<xsimd::avx2, 1>>(3); }
StoredKernels stored_kernels_with_avx2() { return stored_kernels<xsimd::avx2>(); }

}  // namespace attend::kernels
#endif
