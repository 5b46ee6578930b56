// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "kernels/real.h"

// The machine's rate of multiplications and additions when nothing else is in the way: independent
// chains that never leave the registers. Which shape and how many chains suit an engine best cannot
// be known, so that the callers take the best of all. In a nameless namespace: every file that
// includes this compiles it with flags of its own.
namespace {

using attend::real;

volatile real start = 1;  // unknown to the compiler, which would work the chains out beforehand

#if defined(__AVX512F__)
constexpr unsigned vector_bytes = 64;
#elif defined(__AVX2__)
constexpr unsigned vector_bytes = 32;
#else
constexpr unsigned vector_bytes = 16;
#endif
using Vector __attribute__((vector_size(vector_bytes))) = real;

struct Peak {
  static constexpr unsigned lanes = vector_bytes / sizeof(real);

  template <unsigned Chains>
  struct State {
    Vector x[Chains];
  };

  template <unsigned Chains, class Step>
  static double run(unsigned steps, Step step) {
    State<Chains> state;
    for (unsigned c = 0; c < Chains; ++c) state.x[c] = Vector{} + start * static_cast<real>(c + 1);
    for (unsigned s = 0; s < steps; ++s) step(state.x);
    double total = 0;
    for (const Vector& v : state.x) {
      for (unsigned l = 0; l < lanes; ++l) total += static_cast<double>(v[l]);
    }
    return total;
  }

  // x = x / 2 + 1/2: goes to 1, so that the values neither overflow nor fade into slow subnormals.
  template <unsigned Chains>
  static double own(unsigned steps) {
    const Vector half = Vector{} + real(0.5);
    return run<Chains>(steps, [half](Vector* x) {
      for (unsigned c = 0; c < Chains; ++c) x[c] = x[c] * half + half;
    });
  }

  // x += y / 10^9 with the chain beside it as y: the shape that overwrites the addend, as a product
  // does.
  template <unsigned Chains>
  static double beside(unsigned steps) {
    const Vector little = Vector{} + real(1e-9);
    return run<Chains>(steps, [little](Vector* x) {
      for (unsigned c = 0; c < Chains; ++c) x[c] = x[c] + x[(c + 1) % Chains] * little;
    });
  }

  struct Variant {
    double (*run)(unsigned steps);
    unsigned chains;
  };
  static constexpr std::array<Variant, 8> variants = {{{own<8>, 8},
                                                       {own<10>, 10},
                                                       {own<12>, 12},
                                                       {own<14>, 14},
                                                       {beside<8>, 8},
                                                       {beside<10>, 10},
                                                       {beside<12>, 12},
                                                       {beside<14>, 14}}};

  static double operations(unsigned variant, unsigned steps) {
    return 2.0 * variants[variant].chains * lanes * steps;
  }
};

}  // namespace
