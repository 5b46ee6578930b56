// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/backward.h"
#include "fused/forward.h"
#include "fused/one_row.h"
#include "fused/product.h"

// The kernels as one machine has them; attention.cpp asks the machine.
namespace attend::fused {

struct Machine {
  void (*forward)(const Attention& a, Place out, Statistics statistics, const Range& range);
  void (*backward)(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
                   const Gradients& gradients, const Range& range);
  void (*one_row)(const Attention& a, std::size_t head, std::size_t i, real largest, real sum,
                  real* weights);
  void (*product)(kernels::Operand a, kernels::Operand b, real* out, std::size_t out_step,
                  std::size_t m, std::size_t n, std::size_t k);
};

const Machine& machine();

template <class Arch>
Machine machine_with() {
  return {Forward<Arch>::run, Backward<Arch>::run, one_row<Arch>, product<Arch>};
}

// Compiled for AVX2 with fused multiply-add, in machine_avx2.cpp.
Machine machine_with_avx2();

}  // namespace attend::fused
