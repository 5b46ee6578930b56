// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fused/patches.h"

// Patterns of pairs as patches.
namespace attend::fused {

// Which of a pattern's two parts there are.
enum class Part { both, first, second };

// Row i sees i - l <= j <= i (first part) and every l-th key before, j <= i with (i - j) mod l = 0 (second part).
// Rows that are l apart see the same keys of the second part: they are one patch.
class Strided : public Patches {
 public:
  Strided(std::size_t m, std::size_t n, std::size_t l, Part part)
      : m_(m), n_(n), l_(l), part_(part) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_, l_;
  Part part_;
};

// Row i sees its own block of l (first part) and the last c keys of every block (second part), always j <= i.
class Fixed : public Patches {
 public:
  Fixed(std::size_t m, std::size_t n, std::size_t l, std::size_t c, Part part)
      : m_(m), n_(n), l_(l), c_(c), part_(part) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_, l_, c_;
  Part part_;
};

// Queries and keys in blocks of `size`; block b of queries sees the blocks of keys that stand in `blocks` from
// starts[b] to starts[b + 1], none twice. Causal: no key after its query.
class Blocks : public Patches {
 public:
  Blocks(std::size_t m, std::size_t n, std::size_t size, bool causal,
         std::span<const std::uint32_t> starts, std::span<const std::uint32_t> blocks)
      : m_(m), n_(n), size_(size), causal_(causal), starts_(starts), blocks_(blocks) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_, size_;
  bool causal_;
  std::span<const std::uint32_t> starts_, blocks_;
};

}  // namespace attend::fused
