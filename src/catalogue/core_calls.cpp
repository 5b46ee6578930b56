// SPDX-License-Identifier: Apache-2.0
#include "catalogue/core_calls.h"

#include <algorithm>
#include <bit>

#include "ops/too_large.h"
#include "ops/unnamed.h"

namespace attend {
namespace {

// [n n] in the batch of x [.. n d].
Var identity_like(Var x) {
  Shape shape = x.shape();
  shape.back() = x.extent(-2);
  const std::size_t n = x.extent(-2);
  return broadcast_to(equal(iota(x.graph(), n, 2), iota(x.graph(), n)), shape);
}

// How many matrices stand side by side.
std::size_t matrices_in(Var x) { return element_count(Extents(x.shape()).first(x.rank() - 2)); }

// The largest number up to the root of n that divides queries and keys evenly: a default for blocks and clusters.
std::size_t even_part(std::size_t m, std::size_t n) {
  std::size_t part = 1;
  for (std::size_t i = 2; i * i <= n; ++i) {
    if (n % i == 0 && m % i == 0) part = i;
  }
  return part;
}

}  // namespace

void add_core_sizes(Dimensions& d, Var q, Var k, const Triple& whole) {
  const std::size_t m = q.extent(-2), n = k.extent(-2);
  d.set("p", q.extent(-1));
  d.set("dx", whole.k.extent(-1));
  d.set("dxq", (whole.q ? whole.q : q).extent(-1));
  d.set("longer_of_m_n", std::max(m, n));
  d.set("bits_below_n", static_cast<std::size_t>(std::bit_width(n - 1)));
  d.set("divisor_near_sqrt_n", even_part(m, n));
}

Var implied_map(const Weighing& weighing, Var q, Var k) {
  // The identity of each head, and the map that is as large: of too many keys there is none.
  const std::size_t n = k.extent(-2), heads = std::max(matrices_in(q), matrices_in(k));
  if (heads * n > max_elements / n) return {};
  const Unnamed unnamed(q.graph());
  try {
    return weighing.maps ? weighing.maps() : weighing.context(identity_like(k));
  } catch (const TooLarge&) {
    return {};  // what some cores make of the identity is larger still
  }
}

}  // namespace attend
