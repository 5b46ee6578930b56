// SPDX-License-Identifier: Apache-2.0
// Compiled for machines with AVX-512 alone; elementwise_loops.cpp asks the machine before it comes here. Multiplies and
// adds apart, so that the numbers stay those of every other machine.
#ifdef ATTEND_AVX2
#include "kernels/elementwise_loops.h"

namespace attend::kernels {

ElementwiseLoops elementwise_with_avx512() { return Loops<xsimd::avx512f>::all(); }

}  // namespace attend::kernels
#endif
