// SPDX-License-Identifier: Apache-2.0
// The native side of the benchmarks: reads one call a line ("bench_exp 4096 100") and answers with
// the milliseconds that it took, or with the number that it returned.
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "bench/kernels.h"

namespace {

using Arguments = std::array<unsigned, 5>;

// Of the widest vectors that the machine has, as the products choose theirs.
double peak(unsigned variant, unsigned steps) {
#ifdef ATTEND_AVX2
  if (__builtin_cpu_supports("avx512f") != 0) return bench_peak_avx512(variant, steps);
  if (__builtin_cpu_supports("avx2") != 0) return bench_peak_avx2(variant, steps);
#endif
  return bench_peak(variant, steps);
}

double peak_operations(unsigned variant, unsigned steps) {
#ifdef ATTEND_AVX2
  if (__builtin_cpu_supports("avx512f") != 0) return bench_peak_avx512_operations(variant, steps);
  if (__builtin_cpu_supports("avx2") != 0) return bench_peak_avx2_operations(variant, steps);
#endif
  return bench_peak_operations(variant, steps);
}

// The result of a question, or nothing in particular after a measurement.
double call(const std::string& name, const Arguments& a) {
  if (name == "bench_prepare") bench_prepare(a[0], a[1], a[2]);
  if (name == "bench_matmul") bench_matmul(a[0], a[1], a[2], a[3], a[4]);
  if (name == "bench_exp") bench_exp(a[0], a[1]);
  if (name == "bench_softmax") bench_softmax(a[0], a[1], a[2]);
  if (name == "bench_entmax") bench_entmax(a[0], a[1], a[2], a[3]);
  if (name == "bench_convolve") bench_convolve(a[0], a[1], a[2], a[3]);
  if (name == "bench_compile") bench_compile(a[0]);
  if (name == "bench_evaluate") return bench_evaluate(a[0]);
  if (name == "bench_peak_variants") return bench_peak_variants();
  if (name == "bench_peak") return peak(a[0], a[1]);
  if (name == "bench_peak_operations") return peak_operations(a[0], a[1]);
  return 0;
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string name;
    Arguments arguments{};
    words >> name;
    for (unsigned& argument : arguments) words >> argument;
    const auto start = std::chrono::steady_clock::now();
    const double result = call(name, arguments);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%.9g %.9g\n", took.count(), result);
    std::fflush(stdout);
  }
}
