// SPDX-License-Identifier: Apache-2.0
#include "bench/peak.h"

#include "bench/kernels.h"

extern "C" {

unsigned bench_peak_variants() { return Peak::variants.size(); }

double bench_peak(unsigned variant, unsigned steps) { return Peak::variants[variant].run(steps); }

double bench_peak_operations(unsigned variant, unsigned steps) {
  return Peak::operations(variant, steps);
}
}
