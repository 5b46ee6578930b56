// SPDX-License-Identifier: Apache-2.0
// The peak of the vectors that the product uses on a machine with AVX-512; compiled for it alone.
#include "bench/kernels.h"
#include "bench/peak.h"

extern "C" {

double bench_peak_avx512(unsigned variant, unsigned steps) {
  return Peak::variants[variant].run(steps);
}

double bench_peak_avx512_operations(unsigned variant, unsigned steps) {
  return Peak::operations(variant, steps);
}
}
