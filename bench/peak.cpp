// SPDX-License-Identifier: Apache-2.0
#include "bench/peak.h"

#include <memory>

#include "bench/kernels.h"

extern "C" {

unsigned bench_peak_variants() { return Peak::variants.size(); }

double bench_peak(unsigned variant, unsigned steps) { return Peak::variants[variant].run(steps); }

double bench_peak_operations(unsigned variant, unsigned steps) {
  return Peak::operations(variant, steps);
}

// Adds up so many numbers in one pass: the time in which the memory gives them.
double bench_read(unsigned count) {
  static std::unique_ptr<Vector[]> memory;
  static unsigned held = 0;
  const unsigned vectors = count / Peak::lanes;
  if (held < vectors) {
    memory = std::make_unique<Vector[]>(vectors);
    held = vectors;
  }
  constexpr unsigned together = 8;
  Vector sum[together] = {};
  for (unsigned at = 0; at + together <= vectors; at += together) {
    for (unsigned k = 0; k < together; ++k) sum[k] += memory[at + k];
  }
  double total = 0;
  for (const Vector& one : sum) total += static_cast<double>(one[0]);
  return total;
}
}
