// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace attend::kernels {

// Reads each cache line of these rows once, in the order of the memory, so that the second-level cache has them when a
// kernel next reads a few columns of all rows. A processor does not foresee such reads if the rows lie far apart, and
// WebAssembly has no instruction for this. A template over the architecture: the same function compiled for two of them
// must not share a name.
template <class Arch>
void fetch_rows(const void* first, std::size_t step, std::size_t rows, std::size_t bytes) {
  constexpr std::size_t line = 64, together = 4;
  std::uint32_t seen[together] = {};
  for (std::size_t p = 0; p < rows; ++p) {
    const auto* const row = static_cast<const std::byte*>(first) + p * step;
    for (std::size_t at = 0; at + together * line <= bytes; at += together * line) {
      for (std::size_t k = 0; k < together; ++k) {
        std::uint32_t x;
        std::memcpy(&x, row + at + k * line, sizeof x);
        seen[k] |= x;
      }
    }
  }
  // Otherwise a compiler would remove the reads.
  [[maybe_unused]] volatile std::uint32_t kept = seen[0] | seen[1] | seen[2] | seen[3];
}

}  // namespace attend::kernels
