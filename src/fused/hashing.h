// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fused/buffer.h"
#include "fused/patches.h"

// Attention by locality-sensitive hashing: keys are the queries at length 1. In each round tokens are sorted by
// h(x) = argmax [x R ; -x R] and their place, cut into chunks, and attend to those of their bucket in their chunk
// and the one before; to themselves only where they meet nobody else. The rounds' exponentials are summed.
namespace attend::fused {

struct HashAttention {
  std::size_t heads = 1;
  std::size_t n = 0;
  std::size_t d = 0;
  std::size_t dv = 0;
  Rows q;  // [heads n d]
  Rows v;  // [heads n dv]
  // [heads rounds d buckets / 2] dense; a head stride of 0 shares one among heads. Constants.
  const real* planes = nullptr;
  std::size_t planes_head = 0;
  std::size_t rounds = 1;
  std::size_t buckets = 2;  // even
  std::size_t chunk = 64;
  real scale = 1;
  bool causal = false;
};

// The tokens of every head and round in the order of their buckets: counted, not compared, so that time grows with n.
class Sorted {
 public:
  explicit Sorted(const HashAttention& a);

  const std::uint32_t* order(std::size_t head, std::size_t round) const {
    return at(order_, head, round);
  }
  // The bucket of each of them, in that order.
  const std::uint32_t* buckets(std::size_t head, std::size_t round) const {
    return at(bucket_, head, round);
  }

 private:
  const std::uint32_t* at(const Buffer<std::uint32_t>& of, std::size_t head,
                          std::size_t round) const {
    return of.data() + (head * rounds_ + round) * n_;
  }
  std::size_t n_, rounds_;
  Buffer<std::uint32_t> order_, bucket_;
};

// out [heads n dv], statistics [heads n] of whole rows.
void attend_by_hashing(const HashAttention& a, Place out, Statistics statistics);

// Gradients of queries and values, overwritten. Buckets and planes are constants.
void attend_by_hashing_backward(const HashAttention& a, Rows out, Statistics statistics,
                                Rows out_gradient, Place q, Place v);

}  // namespace attend::fused
