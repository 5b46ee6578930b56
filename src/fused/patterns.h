// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fused/patches.h"
#include "ops/intent.h"

// Patterns of pairs as patches.
namespace attend::fused {

using Part = Intent::Part;

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

// Queries in blocks of `size`; a block sees itself and the `memory` keys before it, always j <= i.
class Recent : public Patches {
 public:
  Recent(std::size_t m, std::size_t n, std::size_t size, std::size_t memory)
      : m_(m), n_(n), size_(size), memory_(memory) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_, size_, memory_;
};

// A window to each side, and the last `rest` keys, which every row sees.
class Summarised : public Patches {
 public:
  Summarised(std::size_t m, std::size_t n, std::size_t window, std::size_t rest)
      : m_(m), n_(n), window_(window), rest_(rest) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_, window_, rest_;
};

// What the operand of an intent draws: a row of `count` numbers for each query, or one row for all.
struct Drawn {
  Rows rows = {};
  std::size_t count = 0;
};

// Blocks of `size` tokens: those at most `window` apart, the first `global` ones as rows and as columns, and the keys
// that are drawn: marked in rows of n numbers, or listed by index. Rows come some at a time, with a mask over the keys
// that any of them sees.
class BigBird : public Patches {
 public:
  static constexpr std::size_t rows_together = 64;
  struct Sizes {
    std::size_t m, n, size, window, global;
    bool causal, listed;
  };
  BigBird(const Sizes& sizes, const Drawn& drawn) : s_(sizes), drawn_(drawn) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  // Calls mark(first, last) for the stretches of keys that row i sees.
  template <class Mark>
  void each_stretch(std::size_t head, std::size_t i, Mark mark) const;

  Sizes s_;
  Drawn drawn_;
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

// A pattern without the keys at which `kept`, a row [n] for each head, is 0.
class KeptKeys : public Patches {
 public:
  KeptKeys(const Patches& all, Rows kept) : all_(all), kept_(kept) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  const Patches& all_;
  Rows kept_;
};

// Whether the kernels know the pairs that a mask of this intent leaves.
bool has_kernel(const Intent& intent);

// Whether the operand of such an intent draws its pairs.
bool draws_by_operand(const Intent& intent);

// The patches of a pattern that has kernels, for m rows and n keys, go to the visitor; `drawn`: what the intent has as
// its operand, the keys of bigbird or the list of documents.
void each_patch(const Intent& pattern, std::size_t m, std::size_t n, PatchVisitor& visitor,
                std::size_t head = 0, const Drawn& drawn = {});

}  // namespace attend::fused
