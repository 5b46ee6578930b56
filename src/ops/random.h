// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/real.h"

namespace attend {

// Counter-based random numbers (Philox 4x32-10; Salmon et al. 2011): draw i of a stream depends on
// the seed, the stream's name and i alone, and is computed from integers and correctly rounded
// operations only, so it is bit-equal natively and in every browser.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  // In [0, 1), a multiple of 2^-24: exact in float and in double.
  [[nodiscard]] double uniform(std::uint64_t index) const;
  // out[i] = below where uniform(first + i) < limit, else above. One call takes a fraction of the time of many draws.
  void choose(std::uint64_t first, double limit, real below, real above, std::span<real> out) const;
  // Standard normal, by the inverse of the distribution function (Wichura 1988, algorithm AS 241).
  [[nodiscard]] double normal(std::uint64_t index) const;
  // Standard Gumbel: -log(-log u).
  [[nodiscard]] double gumbel(std::uint64_t index) const;
  // 0 or 1 with equal chance.
  [[nodiscard]] double coin(std::uint64_t index) const;
  // A whole number below `bound`.
  [[nodiscard]] std::uint64_t below(std::uint64_t index, std::uint64_t bound) const;

 private:
  [[nodiscard]] std::uint32_t word(std::uint64_t index) const;
  [[nodiscard]] double open_uniform(std::uint64_t index) const;  // in (0, 1)

  std::array<std::uint32_t, 2> key_;
};

// One block of Philox 4x32-10.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// Natural logarithm of x > 0 from correctly rounded operations: the same bits everywhere, error
// below 1e-15.
double portable_log(double x);

}  // namespace attend
