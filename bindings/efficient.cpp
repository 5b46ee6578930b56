// SPDX-License-Identifier: Apache-2.0
#include "bindings/efficient.h"

#include <cstdlib>
#include <emscripten/em_macros.h>

#include "bindings/efficient/landmarks.h"
#include "bindings/efficient/linformer.h"
#include "fused/delta.h"
#include "fused/features.h"
#include "fused/hashing.h"
#include "fused/no_room.h"
#include "fused/patterns.h"
#include "fused/spans.h"

// Without the engine's exceptions (fused/no_room.h).
void attend::fused::no_room() { std::abort(); }

namespace {

using attend::bindings::FormRecord;
namespace fused = attend::fused;

static_assert(sizeof(FormRecord) == 25 * 4);

// One behind the other: rows of a tensor [heads rows width].
template <class View, class Number>
View dense(Number* data, std::uint32_t rows, std::uint32_t width) {
  return {data, width, rows * width};
}

template <class Number>
Number* address(std::uint32_t word) {
  return reinterpret_cast<Number*>(word);
}

fused::Rows out_of(const FormRecord& r) { return dense<fused::Rows>(r.out, r.m, r.dv); }
fused::Place to_out(const FormRecord& r) { return dense<fused::Place>(r.out, r.m, r.dv); }
fused::Rows slope_of(const FormRecord& r) { return dense<fused::Rows>(r.out_gradient, r.m, r.dv); }
fused::Place dq(const FormRecord& r) { return dense<fused::Place>(r.q_gradient, r.m, r.d); }
fused::Place dk(const FormRecord& r) { return dense<fused::Place>(r.k_gradient, r.n, r.d); }
fused::Place dv(const FormRecord& r) { return dense<fused::Place>(r.v_gradient, r.n, r.dv); }
fused::Statistics statistics(const FormRecord& r) { return {r.first, r.second}; }

fused::Attention attention(const FormRecord& r) {
  fused::Attention a;
  a.heads = r.heads;
  a.m = r.m;
  a.n = r.n;
  a.d = r.d;
  a.dv = r.dv;
  a.scale = r.scale;
  a.q = dense<fused::Rows>(r.q, r.m, r.d);
  a.k = dense<fused::Rows>(r.k, r.n, r.d);
  a.v = dense<fused::Rows>(r.v, r.n, r.dv);
  return a;
}

fused::FeatureAttention features(const FormRecord& r) {
  const fused::Attention a = attention(r);
  return {a.heads,
          a.m,
          a.n,
          a.d,
          a.dv,
          r.own[1],
          a.q,
          a.k,
          a.v,
          {address<float>(r.own[2]), a.d, r.own[3]},
          static_cast<fused::FeatureMap>(r.own[0]),
          r.own[4] != 0,
          (r.own[5] & 1) == 0,
          (r.own[5] & 2) != 0,
          address<float>(r.own[6]),
          r.own[7]};
}

fused::DeltaRule delta(const FormRecord& r) {
  fused::DeltaRule rule{features(r), address<float>(r.own[6]), r.own[7]};
  rule.a.gates = nullptr;
  return rule;
}

fused::Spans spans(const FormRecord& r) {
  return {address<float>(r.own[0]), r.own[1], r.own[2], address<float>(r.own[3]), 0, r.own[4] != 0};
}

fused::Clusters clusters(const FormRecord& r) {
  return {attention(r), r.own[0], address<const std::uint32_t>(r.own[1])};
}

fused::Nystrom landmarks(const FormRecord& r) {
  return {attention(r), r.own[0], address<const std::uint32_t>(r.own[1]),
          *address<float>(r.own[2])};
}

fused::HashAttention hashed(const FormRecord& r) {
  const fused::Attention a = attention(r);
  return {a.heads,  a.n,      a.d,      a.dv,     a.q,     a.v,          address<float>(r.own[4]),
          r.own[5], r.own[0], r.own[1], r.own[2], a.scale, r.own[3] != 0};
}

fused::Mixed mixed(const FormRecord& r) {
  return {attention(r), r.own[0], address<float>(r.own[1]), address<float>(r.own[2])};
}

fused::Strided strided(const FormRecord& r) {
  return {r.m, r.n, r.own[0], static_cast<fused::Part>(r.own[1])};
}

fused::Fixed fixed(const FormRecord& r) {
  return {r.m, r.n, r.own[0], r.own[1], static_cast<fused::Part>(r.own[2])};
}

fused::Blocks blocks(const FormRecord& r) {
  const auto* const starts = address<const std::uint32_t>(r.own[2]);
  const std::size_t count = (r.m + r.own[0] - 1) / r.own[0];
  return {r.m,
          r.n,
          r.own[0],
          r.own[1] != 0,
          {starts, count + 1},
          {address<const std::uint32_t>(r.own[3]), starts[count]}};
}

void forward(const FormRecord& r, const fused::Patches& pattern) {
  fused::attend_patches(attention(r), pattern, to_out(r), statistics(r));
}

void backward(const FormRecord& r, const fused::Patches& pattern) {
  fused::attend_patches_backward(attention(r), pattern, out_of(r), statistics(r), slope_of(r),
                                 {dq(r), dk(r), dv(r), {}});
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void fused_features(const FormRecord* r) {
  fused::attend_by_features(features(*r), to_out(*r), r->first);
}
EMSCRIPTEN_KEEPALIVE void fused_features_backward(const FormRecord* r) {
  fused::attend_by_features_backward(features(*r), out_of(*r), r->first, slope_of(*r),
                                     {dq(*r), dk(*r), dv(*r), address<float>(r->own[8])});
}

EMSCRIPTEN_KEEPALIVE void fused_strided(const FormRecord* r) { forward(*r, strided(*r)); }
EMSCRIPTEN_KEEPALIVE void fused_strided_backward(const FormRecord* r) { backward(*r, strided(*r)); }
EMSCRIPTEN_KEEPALIVE void fused_fixed(const FormRecord* r) { forward(*r, fixed(*r)); }
EMSCRIPTEN_KEEPALIVE void fused_fixed_backward(const FormRecord* r) { backward(*r, fixed(*r)); }
EMSCRIPTEN_KEEPALIVE void fused_blocks(const FormRecord* r) { forward(*r, blocks(*r)); }
EMSCRIPTEN_KEEPALIVE void fused_blocks_backward(const FormRecord* r) { backward(*r, blocks(*r)); }

EMSCRIPTEN_KEEPALIVE void fused_hashed(const FormRecord* r) {
  fused::attend_by_hashing(hashed(*r), to_out(*r), statistics(*r));
}
EMSCRIPTEN_KEEPALIVE void fused_hashed_backward(const FormRecord* r) {
  fused::attend_by_hashing_backward(hashed(*r), out_of(*r), statistics(*r), slope_of(*r), dq(*r),
                                    dv(*r));
}

EMSCRIPTEN_KEEPALIVE void fused_mixed(const FormRecord* r) {
  fused::attend_mixed(mixed(*r), to_out(*r), statistics(*r));
}
EMSCRIPTEN_KEEPALIVE void fused_mixed_backward(const FormRecord* r) {
  fused::attend_mixed_backward(mixed(*r), out_of(*r), statistics(*r), slope_of(*r),
                               {dq(*r), dk(*r), dv(*r), {}});
}

EMSCRIPTEN_KEEPALIVE void fused_delta(const FormRecord* r) {
  fused::attend_by_delta(delta(*r), to_out(*r));
}
EMSCRIPTEN_KEEPALIVE void fused_delta_backward(const FormRecord* r) {
  fused::attend_by_delta_backward(delta(*r), slope_of(*r),
                                  {dq(*r), dk(*r), dv(*r), address<float>(r->own[8])});
}

EMSCRIPTEN_KEEPALIVE void fused_spans(const FormRecord* r) {
  fused::attend_spans(attention(*r), spans(*r), to_out(*r), statistics(*r));
}
EMSCRIPTEN_KEEPALIVE void fused_spans_backward(const FormRecord* r) {
  fused::attend_spans_backward(attention(*r), spans(*r), out_of(*r), statistics(*r), slope_of(*r),
                               {dq(*r), dk(*r), dv(*r), {}}, address<float>(r->own[5]));
}

EMSCRIPTEN_KEEPALIVE void fused_clusters(const FormRecord* r) {
  fused::attend_clusters(clusters(*r), to_out(*r));
}
EMSCRIPTEN_KEEPALIVE void fused_clusters_backward(const FormRecord* r) {
  fused::attend_clusters_backward(clusters(*r), slope_of(*r), {dq(*r), dk(*r), dv(*r), {}});
}

EMSCRIPTEN_KEEPALIVE void fused_landmarks(const FormRecord* r) {
  fused::attend_nystrom(landmarks(*r), to_out(*r));
}
EMSCRIPTEN_KEEPALIVE void fused_landmarks_backward(const FormRecord* r) {
  fused::attend_nystrom_backward(landmarks(*r), slope_of(*r), {dq(*r), dk(*r), dv(*r), {}});
}

}  // extern "C"
