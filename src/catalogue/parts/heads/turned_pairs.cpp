// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/heads/turned_pairs.h"

#include "ops/primitives/records.h"

namespace attend {

Var turned_pairs(Var x, Var cosine, Var sine, bool neighbours) {
  const std::size_t pairs = cosine.extent(-1), r = 2 * pairs, p = x.extent(-1);
  const Var part = r == p ? x : slice(x, -1, 0, r);  // [.. n r]
  Shape apart = part.shape();
  apart.back() = pairs;
  apart.insert(neighbours ? apart.end() : apart.end() - 1, 2);
  const Var both = reshape(part, apart);  // [.. n r/2 2] or [.. n 2 r/2]
  const long axis = neighbours ? -1 : -2;
  const Var a = squeeze(slice(both, axis, 0, 1), axis), b = squeeze(slice(both, axis, 1, 2), axis);
  const Var turned =
      concat({expand(a * cosine - b * sine, axis), expand(a * sine + b * cosine, axis)}, axis);
  const Var flat = reshape(turned, part.shape());  // [.. n r]
  return r == p ? flat : concat({flat, slice(x, -1, r, p)}, -1);
}

Var turned_rows(Var x, Var positions, Var base, bool neighbours) {
  const std::size_t n = positions.extent(0), r = x.extent(-1) / 2 * 2;
  if (r == 0) return x;
  const Var waves = apply(primitives::sinusoid, {positions, base}, {{static_cast<long>(r)}});
  const Var both = reshape(waves, {n, r / 2, 2});  // sine, cosine
  const auto wave = [&](std::size_t k) { return squeeze(slice(both, -1, k, k + 1), -1); };
  return turned_pairs(x, wave(1), wave(0), neighbours);
}

}  // namespace attend
