// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/patches.h"

// Patterns in which the places of a query and its keys decide: in the same document, or near on a grid.
namespace attend::fused {

// Row i sees the keys whose number in `documents` [n] is that of key i. Causal: those up to i.
class Documents : public Patches {
 public:
  Documents(std::size_t m, std::size_t n, bool causal, const real* documents)
      : m_(m), n_(n), causal_(causal), documents_(documents) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  std::size_t m_, n_;
  bool causal_;
  const real* documents_;
};

// Keys lie row by row on a grid of `columns`. Query i lies where key i does, and sees the `kernel_rows` x
// `kernel_columns` places around it, which are moved inside at a border.
class Neighbours : public Patches {
 public:
  struct Sizes {
    std::size_t m, n, columns, kernel_rows, kernel_columns;
  };
  explicit Neighbours(const Sizes& sizes) : s_(sizes) {}
  void each(std::size_t head, PatchVisitor& visitor) const override;

 private:
  Sizes s_;
};

}  // namespace attend::fused
