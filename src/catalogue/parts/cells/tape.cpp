// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cells/tape.h"

#include "ops/ratio.h"

namespace attend {
namespace {

// Everything one place to the right, the last to the front; `step` -1 the other way.
Var rolled(Var w, int step) {
  const std::size_t n = w.extent(-1), cut = step > 0 ? n - 1 : 1 % n;
  if (cut == 0) return w;
  return concat({slice(w, -1, cut, n), slice(w, -1, 0, cut)}, -1);
}

}  // namespace

Var moved_head(Var content, Var before, const HeadMove& move, Var mask) {
  const Var gated = let("w^g", move.gate * content + (1 - move.gate) * before);
  const auto part = [&](std::size_t k, Var w) { return slice(move.shift, -1, k, k + 1) * w; };
  Var shifted = part(0, rolled(gated, -1)) + part(1, gated) + part(2, rolled(gated, 1));
  if (mask) shifted = shifted * mask;
  shifted = let("\\tilde w", relu(shifted));
  // Relative to the largest, so that a high power does not end in 0 / 0.
  const Var top = detach(max(shifted, -1, true));
  const Var share = ratio(shifted, top);
  const Var positive = greater(share, scalar(share, 0));
  const Var sharp = where(positive, power(where(positive, share, scalar(share, 1)), move.sharpness),
                          zeros(shifted.graph(), share.shape()));
  return ratio(sharp, sum(sharp, -1, true));
}

}  // namespace attend
