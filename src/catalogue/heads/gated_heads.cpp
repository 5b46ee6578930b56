// SPDX-License-Identifier: Apache-2.0
// Gated heads (GaAN):  y_i = [x_i; g_i1 head_1; ..; g_ih head_h] W_O,
//   g_i = sigma([x_i; max_j z_j W_m; mean_j z_j] W_g), j over the keys allowed, z the value rows
// Zhang et al. 2018, arXiv:1803.07294
#include <limits>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "catalogue/parts/heads/projected_heads.h"
#include "ops/ratio.h"

namespace attend::gated_heads_entry {
namespace {

using Pooled =
    std::pair<Var,
              Var>;  // largest [m dm] and mean [m dv] rows over the keys that each query may see

// The largest of the rows up to each, [n d]. A chunk of rows joins what the rows before it left; on ties the gradient
// goes to the first, as that of `max` does.
Var running_maximum(Var x) {
  constexpr double lowest = -1e30;
  const std::size_t n = x.extent(-2), size = std::min<std::size_t>(n, 32);
  ScanRecorder steps(x.graph(), (n + size - 1) / size);
  ChunkRows chunk(steps, n, size);
  const Var before = steps.state({"m", fill(x.graph(), {1, x.extent(-1)}, lowest)});
  Var all = chunk(x, lowest);
  for (std::size_t behind = 1; behind < size; behind *= 2) {
    const Var nothing = fill(all.graph(), {behind, x.extent(-1)}, lowest);
    all = maximum(concat({nothing, slice(all, -2, 0, size - behind)}, -2), all);
  }
  const Var after = maximum(before, all);
  steps.next(before, slice(after, -2, size - 1, size));
  steps.output(after);
  return rows_of_blocks(steps.finish_quietly().outputs[0], n);
}

// Each query sees the keys up to its own: those behind the last key see all.
Pooled causally_pooled(const HeadsIn& in, Var mapped_rows) {
  const std::size_t m = in.whole.q.extent(-2), n = in.whole.v.extent(-2);
  const auto for_queries = [&](Var x) {
    if (m <= n) return slice(x, -2, 0, m);
    return concat({x, broadcast_to(slice(x, -2, n - 1, n), {m - n, x.extent(-1)})}, -2);
  };
  const Var sums = cumsum(in.whole.v, -2), counts = iota(sums.graph(), n, 2) + 1;
  return {for_queries(running_maximum(mapped_rows)), for_queries(sums / counts)};
}

Pooled pooled(const HeadsIn& in, Var mapped_rows) {  // z W_m [n dm]
  const std::size_t m = in.whole.q.extent(-2), n = in.whole.v.extent(-2);
  if (in.causal) return causally_pooled(in, mapped_rows);
  if (!in.mask)
    return {broadcast_to(max(mapped_rows, -2, true), {m, mapped_rows.extent(-1)}),
            broadcast_to(mean(in.whole.v, -2, true), {m, in.whole.v.extent(-1)})};
  const MaybeIntent pairs = mask_intent(in.graph(), in.mask.id());
  const Pooled shorter = pairs && pairs->is_causal() ? causally_pooled(in, mapped_rows) : Pooled{};
  const Var count = sum(in.mask, -1, true);           // [m 1]
  const Var some = greater(count, scalar(count, 0));  // [m 1]
  const Var allowed = broadcast_to(expand(in.mask, -1), {m, n, mapped_rows.extent(-1)});
  const Var candidates = where(allowed, broadcast_to(pair_columns(mapped_rows), allowed.shape()),
                               scalar(allowed, -1e30));
  const Var largest = where(some, max(candidates, -2), scalar(some, 0));
  const Var average = ratio(matmul(in.mask, in.whole.v), count);
  if (shorter.first) {
    stated(largest, shorter_intent(), {shorter.first, mapped_rows});
    stated(average, shorter_intent(), {shorter.second, in.whole.v});
  }
  return {largest, average};
}

Var merge(const HeadsIn& in, Var heads) {  // [h m pv]
  if (!in.whole.q)
    refuse("it reads the query, but the score passes no query on; use a score with one filter");
  const std::size_t h = heads.extent(0), m = heads.extent(1);
  const auto [largest, average] = pooled(in, matmul(in.whole.v, in.param("W_m")));
  const Var features = concat({in.whole.q, largest, average}, -1);        // [m dq+dm+dv]
  const Var gate = let("g", sigmoid(matmul(features, in.param("W_g"))));  // [m h]
  in.output(out::gate, gate, "m h");
  const Var weighed = heads * reshape(transpose(gate), {h, m, 1});
  const Var context = matmul(concat({in.whole.q, join_heads(weighed)}, -1), in.param("W_O"));
  const Var bias = in.param_if("b_O", "bias");
  return bias ? context + bias : context;  // [m dc]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W_m = in.parameter("W_m"), &W_g = in.parameter("W_g");
  Array heads = heads_by_loops(in, x, x, x), gate({x.rows(), heads.shape[0]});
  const Row largest = row_maxima(transposed(product(x, W_m))).data;
  const Row average = mean_of_rows(x).data;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row g = mapped(joined(joined(x.row(i), largest), average), W_g);
    for (std::size_t t = 0; t < g.size(); ++t) {
      gate(i, t) = activate("sigmoid", g[t]);
      for (std::size_t c = 0; c < heads.shape[2]; ++c) heads(t, i, c) *= gate(i, t);
    }
  }
  const Array own = product(x, rows_from_to(in.parameter("W_O"), 0, x.cols()));
  return {{"gate", gate}, {"context", plus(merged_by_loops(in, heads, x.cols()), own)}};
}

extern const Mechanism record{
    .id = "gated-heads",
    .aliases = {"gaan"},
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "h dk p"},
                   {"W_V", "h dv pv"},
                   {"W_O", "dq+h*pv dc"},
                   {"b_Q", "h p", Distribution::zero},
                   {"b_K", "h p", Distribution::zero},
                   {"b_V", "h pv", Distribution::zero},
                   {"b_O", "dc", Distribution::zero},
                   {"W_m", "dv dm"},
                   {"W_g", "dq+dm+dv h"}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}, {"dm", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{split_heads, merge}};
}  // namespace attend::gated_heads_entry
