// SPDX-License-Identifier: Apache-2.0
#include "catalogue/implied_map.h"

#include <algorithm>

#include "ops/too_large.h"
#include "ops/unnamed.h"

namespace attend {
namespace {

// [n n] in the batch of x [.. n d].
Var identity_like(Var x) {
  Shape shape = x.shape();
  shape.back() = x.extent(-2);
  return broadcast_to(one_hot(iota(x.graph(), x.extent(-2)), x.extent(-2)), shape);
}

// How many matrices stand side by side.
std::size_t matrices_in(Var x) { return element_count(Extents(x.shape()).first(x.rank() - 2)); }

}  // namespace

Var implied_map(const Weighing& weighing, Var q, Var k) {
  // The identity of each head, and the map that is as large: of too many keys there is none.
  const std::size_t n = k.extent(-2), heads = std::max(matrices_in(q), matrices_in(k));
  if (heads * n > max_elements / n) return {};
  const Unnamed unnamed(q.graph());
  try {
    return weighing.context(identity_like(k));
  } catch (const TooLarge&) {
    return {};  // what some cores make of the identity is larger still
  }
}

std::size_t even_part(std::size_t m, std::size_t n) {
  std::size_t part = 1;
  for (std::size_t i = 2; i * i <= n; ++i) {
    if (n % i == 0 && m % i == 0) part = i;
  }
  return part;
}

}  // namespace attend
