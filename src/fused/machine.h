// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/forward.h"

// The kernels as one machine has them; attention.cpp asks the machine.
namespace attend::fused {

struct Machine {
  void (*forward)(const Attention& a, Place out, Statistics statistics, const Range& range);
};

template <class Arch>
Machine machine_with() {
  return {Forward<Arch>::run};
}

// Compiled for AVX2 with fused multiply-add, in machine_avx2.cpp.
Machine machine_with_avx2();

}  // namespace attend::fused
