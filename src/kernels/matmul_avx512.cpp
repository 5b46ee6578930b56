// SPDX-License-Identifier: Apache-2.0
// For machines with AVX-512, compiled for them alone; matmul.cpp and symmetric.cpp ask the machine before they come
// here. Its products give the numbers of machines with AVX2; what is not a product multiplies and adds apart.
#ifdef ATTEND_AVX2
#include "kernels/matmul_row.h"
#include "kernels/symmetric_loops.h"

namespace attend::kernels {

Machine machine_with_avx512() { return machine_with<Tile<xsimd::avx512f, 2, 8>>(8); }
Machine narrow_machine_with_avx512() { return machine_with<Tile<xsimd::avx512f, 1, 8>>(4); }
SymmetricLoops symmetric_with_avx512() { return LanesOfSymmetric<xsimd::avx512f>::all(); }

}  // namespace attend::kernels
#endif
