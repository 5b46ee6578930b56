// SPDX-License-Identifier: Apache-2.0
#include "kernels/norms.h"

#include "kernels/norm_loops.h"

namespace attend::kernels {
namespace {

NormLoops choose() {
#ifdef ATTEND_AVX2
  if (xsimd::available_architectures().has(xsimd::avx2{})) return norms_with_avx2();
#endif
  using Own = LoopsOfNorms<xsimd::default_arch>;
  return {Own::forward, Own::backward};
}

}  // namespace

const NormLoops& norm_loops() {
  static const NormLoops chosen = choose();
  return chosen;
}

}  // namespace attend::kernels
