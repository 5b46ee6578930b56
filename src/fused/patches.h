// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fused/attention.h"

// Softmax attention over a pattern of pairs that is cut into patches, each of some queries with some keys. What the
// pattern leaves out is in no patch and costs nothing. A query may have several patches: each gives its largest score,
// its sum and its context, and these join to what one softmax over all of them gives.
namespace attend::fused {

struct Run {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t step = 1;
  const std::uint32_t* list =
      nullptr;  // [count] in place of first and step: any places, in any order

  [[nodiscard]] std::size_t operator[](std::size_t t) const {
    return list == nullptr ? first + t * step : list[t];
  }
};

struct Patch {
  Run queries = {};
  Run keys = {};
  // Query t of the patch attends its keys t + offset - before .. t + offset + after.
  std::ptrdiff_t before = unbounded;
  std::ptrdiff_t after = unbounded;
  std::ptrdiff_t offset = 0;
  const real* mask = nullptr;  // [queries keys], 0 excludes
  bool mask_of_keys = false;   // the mask is one row [keys] for all queries
  const real* bias = nullptr;  // [queries keys], added to the scores
};

// From place b to place a.
inline std::ptrdiff_t gap(std::size_t a, std::size_t b) {
  return static_cast<std::ptrdiff_t>(a) - static_cast<std::ptrdiff_t>(b);
}

class PatchVisitor {
 public:
  virtual void visit(const Patch& patch) = 0;

 protected:
  ~PatchVisitor() = default;
};

// A pattern: no pair may be in two patches of a head, or it counts twice (which is what rounds of hashing want).
class Patches {
 public:
  virtual void each(std::size_t head, PatchVisitor& visitor) const = 0;

 protected:
  ~Patches() = default;
};

// What attend() computes, over the patches; band, block, bias and mask of `a` are not read. Statistics are those of
// whole rows, and may not be null where gradients are to follow. With `lengths` [heads n] keys are the rows of k
// divided by these, their lengths: a patch divides its own, so that such keys are never held all at once.
void attend_patches(const Attention& a, const Patches& patches, Place out, Statistics statistics,
                    const real* lengths = nullptr);

// Receives the slopes [queries keys] of a patch's bias.
class BiasSlopes {
 public:
  virtual void add(std::size_t head, const Patch& patch, const real* slopes) = 0;

 protected:
  ~BiasSlopes() = default;
};

// Gradients of queries, keys and values, overwritten; with a head stride of 0 they sum over the heads. Where a patch
// has a bias, its slopes go to `bias` unless that is null. With `lengths` the gradient of the keys is that of the rows
// themselves, and may go to the same place as that of the queries.
void attend_patches_backward(const Attention& a, const Patches& patches, Rows out,
                             Statistics statistics, Rows out_gradient, const Gradients& gradients,
                             BiasSlopes* bias = nullptr, const real* lengths = nullptr);

// How many pairs of a query and a key the patches of one head have.
std::uint64_t pairs_of(const Patches& patches, std::size_t head = 0);

}  // namespace attend::fused
