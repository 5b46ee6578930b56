// SPDX-License-Identifier: Apache-2.0
#include "bench/peak.h"

#include <memory>

#include "bench/kernels.h"

namespace {

template <unsigned Streams>
double read_in(const Vector* from, unsigned vectors) {
  constexpr unsigned together = Streams == 1 ? 8 : 4;
  const unsigned each = vectors / Streams;
  Vector sum[together] = {};
  for (unsigned at = 0; at + together <= each; at += together) {
    for (unsigned s = 0; s < Streams; ++s)
      for (unsigned k = 0; k < together; ++k) sum[k] += from[s * each + at + k];
  }
  double total = 0;
  for (const Vector& one : sum) total += static_cast<double>(one[0]);
  return total;
}

}  // namespace

extern "C" {

unsigned bench_peak_variants() { return Peak::variants.size(); }

double bench_peak(unsigned variant, unsigned steps) { return Peak::variants[variant].run(steps); }

double bench_peak_operations(unsigned variant, unsigned steps) {
  return Peak::operations(variant, steps);
}

// Adds up so many numbers: the time in which the memory gives them. They are read in one stream, or in four side by
// side, each over a quarter of them; which is faster depends on the machine.
double bench_read(unsigned count, unsigned streams) {
  static std::unique_ptr<Vector[]> memory;
  static unsigned held = 0;
  const unsigned vectors = count / Peak::lanes;
  if (held < vectors) {
    memory = std::make_unique<Vector[]>(vectors);
    held = vectors;
  }
  return streams == 4 ? read_in<4>(memory.get(), vectors) : read_in<1>(memory.get(), vectors);
}
}
