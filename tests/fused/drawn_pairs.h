// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fused/patterns.h"

// The pairs that the kernels visit for an intent.
namespace attend::testing {

// Marks the pairs of its patches: 1 for each patch that has the pair.
class DrawnPairs : public fused::PatchVisitor {
 public:
  DrawnPairs(std::size_t m, std::size_t n) : cells(m * n, 0), n_(n) {}
  void visit(const fused::Patch& patch) override {
    for (std::size_t t = 0; t < patch.queries.count; ++t) {
      for (std::size_t s = 0; s < patch.keys.count; ++s) {
        const auto at = static_cast<std::ptrdiff_t>(t) + patch.offset,
                   key = static_cast<std::ptrdiff_t>(s);
        const bool kept = patch.mask == nullptr || patch.mask[t * patch.keys.count + s] != 0;
        if (kept && key >= at - patch.before && key <= at + patch.after)
          cells[patch.queries[t] * n_ + patch.keys[s]] += 1;
      }
    }
  }
  std::vector<real> cells;

 private:
  std::size_t n_;
};

// [m n]; `drawn` holds the operand, `count` numbers for each row.
inline std::vector<real> drawn_pairs(const Intent& intent, std::size_t m, std::size_t n,
                                     const real* drawn = nullptr, std::size_t count = 0) {
  DrawnPairs pairs(m, n);
  if (intent.kind != Intent::band) {
    fused::each_patch(intent, m, n, pairs, 0, {{drawn, count, 0}, count});
    return pairs.cells;
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto row = static_cast<std::ptrdiff_t>(i), key = static_cast<std::ptrdiff_t>(j);
      const bool together = intent.block == 0 || i / intent.block == j / intent.block;
      if (together && key >= row - intent.before && key <= row + intent.after)
        pairs.cells[i * n + j] = 1;
    }
  }
  return pairs.cells;
}

}  // namespace attend::testing
