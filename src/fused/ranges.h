// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/patches.h"

// Patterns in which each query sees one or two stretches of keys side by side.
namespace attend::fused {

// Row i sees the first `first` keys, and those with i - window < j <= i. Causal: of the first ones only those j <= i.
class FirstKeys : public Patches {
 public:
  struct Sizes {
    std::size_t m, n, window, first;
    bool causal;
  };
  explicit FirstKeys(const Sizes& sizes) : s_(sizes) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  Sizes s_;
};

// Row i sees every key but j = i. Causal: those before it.
class Others : public Patches {
 public:
  Others(std::size_t m, std::size_t n, bool causal) : m_(m), n_(n), causal_(causal) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_;
  bool causal_;
};

// The first `length` tokens are a noised text, as many behind them are the clean one, both in blocks of `block`. A row
// sees its own block on its own side, and the clean blocks before it.
class Diffusion : public Patches {
 public:
  Diffusion(std::size_t length, std::size_t block) : length_(length), block_(block) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t length_, block_;
};

}  // namespace attend::fused
