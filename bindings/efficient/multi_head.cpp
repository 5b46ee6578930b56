// SPDX-License-Identifier: Apache-2.0
#include "bindings/efficient/multi_head.h"

#include <cmath>
#include <cstdlib>

#include "fused/no_room.h"
#include "fused/product.h"

namespace attend::fused {
namespace {

// out[rows width] = x[rows width] w[width width].
void project(const real* x, const real* w, real* out, std::size_t rows, std::size_t width) {
  product({x, width, false}, {w, width, false}, out, width, rows, width, width);
}

}  // namespace

void multi_head(const MultiHead& a, real* out, Statistics statistics) {
  const std::size_t w = a.width;
  auto* const scratch = static_cast<real*>(std::malloc((2 * a.m + 2 * a.n) * w * sizeof(real)));
  if (scratch == nullptr) no_room();
  real* const q = scratch;
  real* const context = q + a.m * w;
  real* const k = context + a.m * w;
  real* const v = k + a.n * w;
  project(a.x, a.w_q, q, a.m, w);
  project(a.y, a.w_k, k, a.n, w);
  project(a.y, a.w_v, v, a.n, w);
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
  project(context, a.w_o, out, a.m, w);
  std::free(scratch);
}

}  // namespace attend::fused
