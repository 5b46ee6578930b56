// SPDX-License-Identifier: Apache-2.0
// The product for machines with AVX-512, compiled for them alone; matmul.cpp asks the machine before
// it comes here. Multiplies and adds apart, so that the numbers stay those of every other machine.
#ifdef ATTEND_AVX2
#include "kernels/matmul_row.h"

namespace attend::kernels {

Machine machine_with_avx512() { return machine_with<Tile<xsimd::avx512f>>(8); }
Machine narrow_machine_with_avx512() { return machine_with<Tile<xsimd::avx512f, 1>>(4); }

}  // namespace attend::kernels
#endif
