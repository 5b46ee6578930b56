// SPDX-License-Identifier: Apache-2.0
// For machines with AVX-512, compiled for them alone; matmul.cpp and symmetric.cpp ask the machine before they come
// here. Multiplies and adds apart, so that the numbers stay those of every other machine.
#ifdef ATTEND_AVX2
#include "kernels/matmul_row.h"
#include "kernels/symmetric_loops.h"

namespace attend::kernels {

Machine machine_with_avx512() { return machine_with<Tile<xsimd::avx512f>>(8); }
Machine narrow_machine_with_avx512() { return machine_with<Tile<xsimd::avx512f, 1>>(4); }
SymmetricLoops symmetric_with_avx512() { return LanesOfSymmetric<xsimd::avx512f>::all(); }

}  // namespace attend::kernels
#endif
