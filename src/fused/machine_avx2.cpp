// SPDX-License-Identifier: Apache-2.0
// The kernels for machines with AVX2 and fused multiply-add, compiled for them alone;
// attention.cpp asks the machine before it comes here.
#ifdef ATTEND_AVX2
#include "fused/machine.h"

namespace attend::fused {

Machine machine_with_avx2() { return machine_with<xsimd::fma3<xsimd::avx2>>(); }

}  // namespace attend::fused
#endif
