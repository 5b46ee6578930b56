// SPDX-License-Identifier: Apache-2.0
// FlashAttention: softmax attention, one block of keys at a time, with what a row has so far:
//   mu' = max(mu, max_j e_j),  l' = e^{mu-mu'} l + sum_j e^{e_j-mu'},
//   o' = e^{mu-mu'} o + sum_j e^{e_j-mu'} v_j,  C = o / l at the end
// Dao et al. 2022, arXiv:2205.14135
#include "catalogue/entry.h"
#include "catalogue/parts/cores/block_choice.h"
#include "catalogue/parts/cores/core_parts.h"
#include "ops/scan.h"

namespace attend::flash_entry {
namespace {

constexpr double lowest = -1e30;

Weighing build(const CoreIn& in) {
  in.need_same_width();
  if (in.choice.row_by_row) return {softmax_over(in, {}).context};
  // If only the context is asked for, the kernel of softmax attention runs instead. It goes block by block, too.
  const std::size_t b = std::min(in.integer("block"), in.n());
  const Var q = in.q / std::sqrt(static_cast<double>(in.p()));  // [.. m p]
  const Var keys = row_blocks(in.k, b);                         // [T .. b p]
  const std::size_t count = keys.extent(0);
  const Var places = reshape(iota(in.graph(), count * b), {count, 1, b});  // [T 1 b]
  Shape row = in.q.shape();
  row.back() = 1;
  return {[=, rows = in.row_index(), n = in.n(), causal = in.causal](Var v) {
    Shape wide = row;
    wide.back() = v.extent(-1);
    ScanRecorder steps(v.graph(), count);
    const Var mu = steps.state({"\\mu", fill(v.graph(), row, lowest)});  // [.. m 1]
    const Var l = steps.state({"\\ell", zeros(v.graph(), row)});
    const Var o = steps.state({"o", zeros(v.graph(), wide)});  // [.. m dv]
    const Var k = steps.row({"k", keys}), value = steps.row({"v", row_blocks(v, b)});
    const Var place = steps.row({"j", places});  // [1 b]
    const Var there = greater(scalar(place, static_cast<double>(n)), place);
    const Var seen = causal ? there * greater(rows + 1, place) : there;  // [m b] or [1 b]
    const Var e = matmul(q, k, false, true);                             // [.. m b]
    const Var all = broadcast_to(seen, e.shape());
    const Var top = detach(maximum(mu, max(exclude(e, all, lowest), -1, true)));
    const Var part = all * exp(where(all, e - top, scalar(e, 0))), kept = exp(mu - top);
    steps.next(mu, top);
    steps.next(l, kept * l + sum(part, -1, true));
    steps.next(o, kept * o + matmul(part, value));
    const Scanned done = steps.finish_quietly();
    if (!pairs_fit(in)) return done.last[2] / done.last[1];
    const Var at_once = softmax_over(in, {}).context(v);
    return stated(done.last[2] / done.last[1], shorter_intent(), {at_once, in.q, in.k, v});
  }};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) { return j <= i || !in.flag("causal"); });
  });
}

extern const Mechanism record{
    .id = "flash",
    .aliases = {"flash-attention"},
    .knobs = {integer_knob("block", 64., 1, 512).at_least(1), flag_knob("causal", false)},
    .roles = core_roles,
    .coordinates = core_coordinates,
    .example = R"("block": 2)",
    .behaviour = Core{.build = build, .masks = causal_mask, .exact = true}};
}  // namespace attend::flash_entry
