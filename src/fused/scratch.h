// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/real.h"

namespace attend::fused {

// Room for one call, on cache lines, kept for the next: `take` gives the parts one after the other.
// One call at a time in each thread.
class Scratch {
 public:
  explicit Scratch(std::size_t most);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  static constexpr std::size_t line = 64 / sizeof(real);
  // What `take(size)` uses up.
  static constexpr std::size_t rounded(std::size_t size) { return (size + line - 1) / line * line; }
  real* take(std::size_t size) {
    real* const part = next_;
    next_ += rounded(size);
    return part;
  }

 private:
  real* next_;
};

}  // namespace attend::fused
