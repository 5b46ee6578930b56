// SPDX-License-Identifier: Apache-2.0
// What the benchmarks run, one plain C function a measurement: called from bench/native.cpp
// natively and from bench/engines.mjs as WebAssembly. Each repeats its work so that one call can be
// timed.
#include "bench/kernels.h"

#include <span>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/matmul.h"
#include "kernels/real.h"
#include "kernels/rows.h"

namespace {

using attend::real;

std::vector<real> first, second, result;  // the operands of the current measurement

std::vector<real> numbers(unsigned count) {
  std::vector<real> x(count);
  unsigned state = 1;
  for (real& v : x) {
    state = state * 1664525u + 1013904223u;
    v = static_cast<real>(state >> 8) / static_cast<real>(1u << 24) - real(0.5);
  }
  return x;
}

}  // namespace

extern "C" {

void bench_prepare(unsigned first_size, unsigned second_size, unsigned result_size) {
  first = numbers(first_size);
  second = numbers(second_size);
  result.assign(result_size, 0);
}

void bench_matmul(unsigned m, unsigned n, unsigned k, unsigned b_transposed, unsigned repeats) {
  const attend::kernels::Operand a{first.data(), k, false};
  const attend::kernels::Operand b{second.data(), b_transposed ? k : n, b_transposed != 0};
  for (unsigned r = 0; r < repeats; ++r) {
    attend::kernels::matmul(a, b, result.data(), n, m, n, k);
  }
}

void bench_exp(unsigned count, unsigned repeats) {
  for (unsigned r = 0; r < repeats; ++r) {
    attend::kernels::exp(std::span(first).first(count), std::span(result).first(count));
  }
}

void bench_softmax(unsigned rows, unsigned cols, unsigned repeats) {
  for (unsigned r = 0; r < repeats; ++r) {
    attend::kernels::softmax_rows(first.data(), nullptr, 0, result.data(), rows, cols);
  }
}

void bench_entmax(unsigned rows, unsigned cols, unsigned alpha, unsigned repeats) {
  const double power = alpha / 10. - 1;
  for (unsigned r = 0; r < repeats; ++r) {
    for (unsigned i = 0; i < rows; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * cols;
      attend::kernels::entmax_row(&first[at], nullptr, power, &result[at], cols);
    }
  }
}

}  // extern "C"
