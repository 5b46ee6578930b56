// SPDX-License-Identifier: Apache-2.0
#include "bindings/fused.h"

#include <cstdlib>
#include <emscripten/em_macros.h>

#include "bindings/efficient/multi_head.h"
#include "fused/attention.h"
#include "fused/no_room.h"

// Without the engine's exceptions (fused/no_room.h).
void attend::fused::no_room() { std::abort(); }

namespace {

using attend::bindings::AttentionRecord;
using attend::bindings::Matrix;
using attend::bindings::MultiHeadRecord;
namespace fused = attend::fused;

static_assert(sizeof(AttentionRecord) == 44 * 4 && sizeof(MultiHeadRecord) == 22 * 4);

fused::Rows rows(const Matrix& x) { return {x.data, x.row, x.head}; }
fused::Place place(const Matrix& x) { return {x.data, x.row, x.head}; }

std::ptrdiff_t bound(std::int32_t x) { return x == INT32_MAX ? fused::unbounded : x; }

fused::Attention attention(const AttentionRecord& r) {
  fused::Attention a;
  a.heads = r.heads;
  a.m = r.m;
  a.n = r.n;
  a.d = r.d;
  a.dv = r.dv;
  a.q = rows(r.q);
  a.k = rows(r.k);
  a.v = rows(r.v);
  a.scale = r.scale;
  a.before = bound(r.before);
  a.after = bound(r.after);
  a.offset = r.offset;
  a.bias = rows(r.bias);
  a.mask = rows(r.mask);
  return a;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void fused_attend(const AttentionRecord* r, std::uint32_t first_head,
                                       std::uint32_t last_head, std::uint32_t first_row,
                                       std::uint32_t last_row) {
  fused::attend(attention(*r), place(r->out), {r->largest, r->sum},
                {first_head, last_head, first_row, last_row});
}

EMSCRIPTEN_KEEPALIVE void fused_backward(const AttentionRecord* r, std::uint32_t first_head,
                                         std::uint32_t last_head, std::uint32_t first_row,
                                         std::uint32_t last_row) {
  fused::attend_backward(
      attention(*r), rows(r->out), {r->largest, r->sum}, rows(r->out_gradient),
      {place(r->q_gradient), place(r->k_gradient), place(r->v_gradient), place(r->bias_gradient)},
      {first_head, last_head, first_row, last_row});
}

EMSCRIPTEN_KEEPALIVE void fused_row(const AttentionRecord* r, std::uint32_t head, std::uint32_t row,
                                    float* weights) {
  const std::uint32_t at = head * r->m + row;
  fused::attention_row(attention(*r), head, row, r->largest[at], r->sum[at], weights);
}

EMSCRIPTEN_KEEPALIVE void fused_multi_head(const MultiHeadRecord* r) {
  fused::MultiHead a;
  a.m = r->m;
  a.n = r->n;
  a.width = r->width;
  a.heads = r->heads;
  a.x = r->x;
  a.y = r->y;
  a.w_q = r->w_q;
  a.w_k = r->w_k;
  a.w_v = r->w_v;
  a.w_o = r->w_o;
  a.before = bound(r->before);
  a.after = bound(r->after);
  a.offset = r->offset;
  a.bias = rows(r->bias);
  a.mask = rows(r->mask);
  fused::multi_head(a, r->out, {r->largest, r->sum});
}

}  // extern "C"
