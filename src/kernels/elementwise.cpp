// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/vector.h"

namespace attend::kernels {

using Numbers = std::span<const real>;
using Results = std::span<real>;

namespace {

// One function for both waves, called and not copied: what reduces large angles is long.
[[gnu::noinline]] Batch wave_of(Batch x, bool cosine) {
  const auto [sine, other] = xsimd::sincos(x);
  return cosine ? other : sine;
}

// xsimd picks the way to reduce angles by the largest lane, so one large or NaN lane would change
// the last digit of its neighbours. Such a vector goes lane by lane.
void wave(Numbers x, Results y, bool cosine) {
  map(x, y, [cosine](Batch v) {
    constexpr real near = 62;  // up to 20 pi every way gives the same digits
    if (xsimd::all(xsimd::abs(v) <= Batch(near))) return wave_of(v, cosine);
    std::array<real, batch_size> lanes;
    v.store_unaligned(lanes.data());
    for (real& lane : lanes) lane = wave_of(Batch(lane), cosine).get(0);
    return Batch::load_unaligned(lanes.data());
  });
}

}  // namespace

void log(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::log(v); });
}

void sqrt(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::sqrt(v); });
}

void relu(Numbers x, Results y) {
  map(x, y, [](Batch v) { return larger(v, Batch(0)); });
}

void absolute(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::abs(v); });
}

void negative(Numbers x, Results y) {
  map(x, y, [](Batch v) { return -v; });
}

void reciprocal(Numbers x, Results y) {
  map(x, y, [](Batch v) { return Batch(1) / v; });
}

void sin(Numbers x, Results y) { wave(x, y, false); }
void cos(Numbers x, Results y) { wave(x, y, true); }

void erf(Numbers x, Results y) {
#ifdef ATTEND_DOUBLE
  // The vector version loses 6 bits in double.
  assert(x.size() == y.size());
  std::transform(x.begin(), x.end(), y.begin(), [](real v) { return std::erf(v); });
#else
  map(x, y, [](Batch v) { return xsimd::erf(v); });
#endif
}

void arccos(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::acos(v); });
}

void floor(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::floor(v); });
}

void ceil(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::ceil(v); });
}

void sign(Numbers x, Results y) {
  map(x, y, [](Batch v) { return xsimd::sign(v); });
}

}  // namespace attend::kernels
