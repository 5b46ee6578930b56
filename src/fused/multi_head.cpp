// SPDX-License-Identifier: Apache-2.0
#include "fused/multi_head.h"

#include <cmath>
#include <cstdlib>

#include "fused/machine.h"

namespace attend::fused {

void multi_head(const MultiHead& a, real* out, Statistics statistics) {
  const std::size_t w = a.width;
  auto* const scratch = static_cast<real*>(std::malloc((2 * a.m + 2 * a.n) * w * sizeof(real)));
  if (scratch == nullptr) std::abort();
  real* const q = scratch;
  real* const context = q + a.m * w;
  real* const k = context + a.m * w;
  real* const v = k + a.n * w;
  machine().project(a.x, a.w_q, q, a.m, w, w);
  machine().project(a.y, a.w_k, k, a.n, w, w);
  machine().project(a.y, a.w_v, v, a.n, w, w);
  const std::size_t d = w / a.heads;
  Attention core;
  core.heads = a.heads;
  core.m = a.m;
  core.n = a.n;
  core.d = core.dv = d;
  core.q = {q, w, d};
  core.k = {k, w, d};
  core.v = {v, w, d};
  core.scale = 1 / std::sqrt(static_cast<real>(d));
  core.before = a.before;
  core.after = a.after;
  core.offset = a.offset;
  core.bias = a.bias;
  core.mask = a.mask;
  attend(core, {context, w, d}, statistics);
  machine().project(context, a.w_o, out, a.m, w, w);
  std::free(scratch);
}

}  // namespace attend::fused
