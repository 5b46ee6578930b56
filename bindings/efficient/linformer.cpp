// SPDX-License-Identifier: Apache-2.0
#include "bindings/efficient/linformer.h"

#include "fused/buffer.h"
#include "fused/product.h"
#include "fused/scores.h"

namespace attend::fused {
namespace {

// One head's attention over the mixed rows, which `room` gets.
Attention of_head(const Mixed& x, std::size_t head, real* room) {
  Attention part = x.a;
  real *const keys = room, *const values = room + x.r * x.a.d;
  product({x.e, x.a.n, false}, {row_of(x.a.k, head, 0), x.a.k.row, false}, keys, x.a.d, x.r, x.a.d,
          x.a.n);
  product({x.g, x.a.n, false}, {row_of(x.a.v, head, 0), x.a.v.row, false}, values, x.a.dv, x.r,
          x.a.dv, x.a.n);
  part.heads = 1;
  part.n = x.r;
  part.q.data = row_of(x.a.q, head, 0);
  part.k = {keys, x.a.d, 0};
  part.v = {values, x.a.dv, 0};
  return part;
}

Statistics of_head(const Statistics& all, std::size_t at) {
  return {all.largest == nullptr ? nullptr : all.largest + at,
          all.sum == nullptr ? nullptr : all.sum + at};
}

}  // namespace

void attend_mixed(const Mixed& x, Place out, Statistics statistics) {
  Buffer<real> room(x.r * (x.a.d + x.a.dv));
  for (std::size_t h = 0; h < x.a.heads; ++h) {
    attend(of_head(x, h, room.data()), {row_of(out, h, 0), out.row, 0},
           of_head(statistics, h * x.a.m));
  }
}

void attend_mixed_backward(const Mixed& x, Rows out, Statistics statistics, Rows out_gradient,
                           const Gradients& gradients) {
  const std::size_t d = x.a.d, dv = x.a.dv, n = x.a.n;
  Buffer<real> room(x.r * (d + dv)), slopes(x.r * (d + dv));
  real *const keys = slopes.data(), *const values = keys + x.r * d;
  for (std::size_t h = 0; h < x.a.heads; ++h) {
    attend_backward(
        of_head(x, h, room.data()), {row_of(out, h, 0), out.row, 0}, of_head(statistics, h * x.a.m),
        {row_of(out_gradient, h, 0), out_gradient.row, 0},
        {{row_of(gradients.q, h, 0), gradients.q.row, 0}, {keys, d, 0}, {values, dv, 0}, {}});
    kernels::matmul({x.e, n, true}, {keys, d, false}, row_of(gradients.k, h, 0), gradients.k.row, n,
                    d, x.r);
    kernels::matmul({x.g, n, true}, {values, dv, false}, row_of(gradients.v, h, 0), gradients.v.row,
                    n, dv, x.r);
  }
}

}  // namespace attend::fused
